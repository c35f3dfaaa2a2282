import { Paired } from '../../src/contract/access.ts';

/** Uses a printed link as a script does, to get a bearer token. */
export async function pair(link: string, { name }: { name?: string } = {}): Promise<string> {
  const { origin, searchParams } = new URL(link);
  const answer = await fetch(`${origin}/api/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: searchParams.get('code'), name }),
  });
  if (!answer.ok) throw new Error(`the link does not let in: ${await answer.text()}`);
  // only the token, since an older daemon returns fewer fields
  const { token } = Paired.pick({ token: true }).parse(await answer.json());
  return token!;
}
