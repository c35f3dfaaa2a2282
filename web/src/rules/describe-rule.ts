import type { Rule } from '../../../src/contract/rules.ts';
import { clip } from '../ui/format.ts';

/** What it covers, in one line: `Bash command: git push *`. */
export function describeRule({ pattern: { toolName, parameters } }: Pick<Rule, 'pattern'>): string {
  const parts = Object.entries(parameters).map(([name, glob]) => `${name}: ${glob}`);
  return clip([toolName, ...parts].join(' '), { max: 300 });
}
