import type { Facts } from '../lines/facts.ts';

/**
 * One transcript of each agent. A session lies in two folders when the client has moved it to another worktree, or a person has copied it: what
 * both tell is the same, and the longer one tells more.
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
