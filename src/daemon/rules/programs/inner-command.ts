import type { Launch } from './program.ts';
import type { Arguments } from './read-arguments.ts';

/** Where the command that a launcher runs starts. */
export function innerCommand(
  launch: Launch,
  { operands, options, end }: Arguments,
  words: string[],
): { at: number; isModule: boolean } | undefined {
  const module = options.find(({ name }) => name === launch.module);
  if (module) return { at: module.valueAt, isModule: true };
  const after = launch.afterDashes && end !== undefined ? end + 1 : undefined;
  const rest = operands.slice(launch.skip ?? 0);
  // `env - A=1 …`
  const first = launch.assigns ? rest.find((at) => !/^-$|^[^=/]+=/.test(words[at]!)) : rest[0];
  const at = after ?? first;
  return at === undefined || at >= words.length ? undefined : { at, isModule: false };
}
