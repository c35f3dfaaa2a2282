import { pair } from './pair.ts';

/** By home folder: a daemon that is started again knows its operator, and prints no other link without a terminal. */
const tokens = new Map<string, string>();

/** Lets the test in by the link that a start printed, as a script of the person's would be. */
export async function takeOperatorLink(home: string, output: string): Promise<string | undefined> {
  const [link] = /http:\S+\/pair\?code=[\w-]+/.exec(output) ?? [];
  if (!tokens.has(home) && link) tokens.set(home, await pair(link));
  return tokens.get(home);
}

export const operatorOf = (home: string): string | undefined => tokens.get(home);
