import type { ProgressItem } from '../../../../src/contract/sessions.ts';

const STATUSES: readonly unknown[] = ['pending', 'in_progress', 'completed'] satisfies ProgressItem['status'][];

/** Lenient parsing: anything that isn't a task is dropped. */
export function readTodos(todos: readonly unknown[]): ProgressItem[] {
  return todos.slice(0, 200).flatMap((todo, index) => {
    if (typeof todo !== 'object' || todo === null) return [];
    const { content, status } = todo as { content?: unknown; status?: unknown };
    if (typeof content !== 'string') return [];
    const known = STATUSES.includes(status) ? (status as ProgressItem['status']) : 'pending';
    return [{ id: String(index), title: content, status: known }];
  });
}
