import type { ProgressItem } from '../../../contract/sessions.ts';
import { isRecord, textOf } from '../../../contract/values.ts';
import { cutLine } from '../../sessions/clip.ts';
import { recordsOf } from './line.ts';

const MAX_ITEMS = 100;
const MAX_TITLE = 120;

/** The agent's list after a call: TodoWrite replaces it, TaskCreate and TaskUpdate modify it. */
export function itemsAfter(
  items: ProgressItem[],
  call: { subject: string; status: string },
  result: unknown,
): ProgressItem[] {
  if (!isRecord(result)) return items;
  if (Array.isArray(result.newTodos)) return recordsOf(result.newTodos).slice(0, MAX_ITEMS).map(fromTodo);
  if (isRecord(result.task)) return create(items, result.task);
  if (result.success === true && textOf(result.taskId)) return update(items, textOf(result.taskId), call, result);
  return items;
}

function fromTodo(todo: Record<string, unknown>, index: number): ProgressItem {
  return { id: String(index + 1), title: titleOf(todo.content), status: statusOf(todo.status) };
}

function create(items: ProgressItem[], task: Record<string, unknown>): ProgressItem[] {
  const id = textOf(task.id);
  if (!id || items.some((item) => item.id === id)) return items;
  return [...items.slice(-MAX_ITEMS + 1), { id, title: titleOf(task.subject), status: 'pending' }];
}

function update(
  items: ProgressItem[],
  id: string,
  call: { subject: string; status: string },
  result: Record<string, unknown>,
): ProgressItem[] {
  const to = isRecord(result.statusChange) ? result.statusChange.to : call.status;
  if (to === 'deleted') return items.filter((item) => item.id !== id);
  return items.map((item) => {
    if (item.id !== id) return item;
    return {
      id,
      title: call.subject ? titleOf(call.subject) : item.title,
      status: to ? statusOf(to) : item.status,
    };
  });
}

function titleOf(value: unknown): string {
  return cutLine(textOf(value), MAX_TITLE);
}

function statusOf(value: unknown): ProgressItem['status'] {
  return value === 'in_progress' || value === 'completed' ? value : 'pending';
}
