import { z } from 'zod';
import { defineTool, ok } from './tool.ts';

const Todo = z.object({
  content: z.string().min(1).max(500),
  status: z.enum(['pending', 'in_progress', 'completed']),
  activeForm: z.string().max(500).optional(),
});

/** Always the full list; the events carry the difference. */
export function todoWriteTool() {
  const known = new Map<string, string>();
  return defineTool({
    name: 'TodoWrite',
    description: 'Replace your task list. Keep exactly one task in progress while you work.',
    input: z.object({ todos: z.array(Todo).max(100) }),
    gate: 'free',
    permission: 'none',
    async run({ todos }, { emit, actor }) {
      for (const { content, status } of todos) {
        const task = { id: `${actor.id}:${content}`, title: content };
        const before = known.get(task.id);
        if (before === undefined) await emit({ type: 'task.created', actor, task });
        if (status === 'in_progress' && before !== status) await emit({ type: 'task.started', actor, task });
        if (status === 'completed' && before !== status) await emit({ type: 'task.completed', actor, task });
        known.set(task.id, status);
      }
      const count = (status: string) => todos.filter((todo) => todo.status === status).length;
      return ok(`${count('completed')} done, ${count('in_progress')} in progress, ${count('pending')} to do.`);
    },
  });
}
