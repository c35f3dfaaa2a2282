import { CopyButton } from '../ui/copy-button.tsx';
import { resumeCommand } from './shell-words.ts';
import type { SessionFacts } from './use-session-facts.ts';

/** How to go on with a session that has ended, in a terminal. */
export function ResumeCommand({ facts: { id, cwd } }: { facts: SessionFacts }) {
  const command = resumeCommand({ id, cwd });
  return (
    <div className="session-dock">
      <p className="mb-1.5 text-ink-2">It has ended. To go on with it, in a terminal:</p>
      <p className="resume-command">
        <code dir="ltr">{command}</code>
        <CopyButton text={command} what="command" />
      </p>
    </div>
  );
}
