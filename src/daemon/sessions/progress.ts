import type { HookPayload } from '../../contract/hooks.ts';
import type { ProgressItem } from '../../contract/sessions.ts';
import { cutLine } from './clip.ts';
import { text } from './hook-state.ts';

const MAX_ITEMS = 100;

/** The agent's own task list, as far as the hooks tell of it. */
export function advanceProgress(items: ProgressItem[], hook: HookPayload): ProgressItem[] {
  const status = { TaskCreated: 'pending', TaskCompleted: 'completed' }[hook.hook_event_name] as
    | ProgressItem['status']
    | undefined;
  const id = text(hook.task_id);
  if (!status || !id) return items;
  const item = { id, title: cutLine(text(hook.task_subject), 120), status };
  if (items.some((one) => one.id === id)) return items.map((one) => (one.id === id ? item : one));
  return [...items.slice(-MAX_ITEMS + 1), item];
}
