import type { Facts } from '../lines/facts.ts';

/**
 * One transcript per agent. A session is in two folders if the client moved it to another worktree or a person copied it: both say the
 * same, and the longer one says more.
 */
export function withoutCopies<T extends { agentId: string | null; facts: Facts | null }>(files: readonly T[]): T[] {
  const longest = new Map<string | null, T>();
  for (const file of files) {
    const known = longest.get(file.agentId);
    if (!known || messagesOf(file) > messagesOf(known)) longest.set(file.agentId, file);
  }
  return [...longest.values()];
}

function messagesOf({ facts }: { facts: Facts | null }): number {
  return facts?.messages ?? -1;
}
