import type { AgentEvent } from '../../contract/agent-events.ts';
import type { ProgressItem } from '../../contract/sessions.ts';
import { cutLine } from './clip.ts';

const MAX_ITEMS = 100;

const STATUS = { 'task.created': 'pending', 'task.started': 'in_progress', 'task.completed': 'completed' } as const;

/** The agent's own task list, as far as its events show. */
export function advanceProgress(items: ProgressItem[], event: AgentEvent): ProgressItem[] {
  if (event.type !== 'task.created' && event.type !== 'task.started' && event.type !== 'task.completed') return items;
  const { id, title } = event.task;
  if (!id) return items;
  const item = { id, title: cutLine(title, 120), status: STATUS[event.type] };
  if (items.some((one) => one.id === id)) return items.map((one) => (one.id === id ? item : one));
  return [...items.slice(-MAX_ITEMS + 1), item];
}
