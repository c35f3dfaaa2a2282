import { pair } from './pair.ts';

/** By data dir: a restarted daemon knows its operator, and prints no new link without a terminal. */
const tokens = new Map<string, string>();

/** Signs the test in with the link that a start printed, like a person's script. */
export async function takeOperatorLink(dataDir: string, output: string): Promise<string | undefined> {
  const [link] = /http:\S+\/pair\?code=[\w-]+/.exec(output) ?? [];
  if (!tokens.has(dataDir) && link) tokens.set(dataDir, await pair(link, { name: 'Test script' }));
  return tokens.get(dataDir);
}

export const operatorOf = (dataDir: string): string | undefined => tokens.get(dataDir);
