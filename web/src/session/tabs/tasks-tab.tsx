import { ListTodo } from 'lucide-react';
import { TaskList, TaskProgress } from '../../sessions/task-progress.tsx';
import { Empty } from '../../ui/states.tsx';
import type { SessionFacts } from '../use-session-facts.ts';

export default function TasksTab({ facts }: { facts: SessionFacts }) {
  const items = facts.session?.progressItems ?? [];
  if (items.length === 0)
    return (
      <Empty icon={ListTodo} title="No tasks">
        <p>The agent’s task list appears here.</p>
      </Empty>
    );
  return (
    <div className="panel flex max-w-[52rem] flex-col gap-4 p-4">
      <TaskProgress items={items} />
      <TaskList items={items} />
    </div>
  );
}
