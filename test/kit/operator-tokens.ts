import { pair } from './pair.ts';

/** By data dir: a daemon that is started again knows its operator, and prints no other link without a terminal. */
const tokens = new Map<string, string>();

/** Lets the test in by the link that a start printed, as a script of the person's would be. */
export async function takeOperatorLink(dataDir: string, output: string): Promise<string | undefined> {
  const [link] = /http:\S+\/pair\?code=[\w-]+/.exec(output) ?? [];
  if (!tokens.has(dataDir) && link) tokens.set(dataDir, await pair(link, { name: 'Test script' }));
  return tokens.get(dataDir);
}

export const operatorOf = (dataDir: string): string | undefined => tokens.get(dataDir);
