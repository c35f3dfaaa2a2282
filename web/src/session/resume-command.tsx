import { Copy } from 'lucide-react';
import { resumeCommand } from '../../../src/contract/resume-command.ts';
import { copyResumeCommand } from './copy-resume-command.ts';
import type { SessionFacts } from './use-session-facts.ts';

/** How to continue an ended session in a terminal. */
export function ResumeCommand({ facts }: { facts: SessionFacts }) {
  return (
    <div className="session-dock">
      <p className="text-ink-2">This session has ended. To continue it, run this in a terminal:</p>
      <p className="resume-command">
        <code dir="ltr">{resumeCommand(facts)}</code>
        {/* The browser blocks the clipboard over plain HTTP from another machine. */}
        {navigator.clipboard && (
          <button type="button" className="button" onClick={() => void copyResumeCommand(facts)}>
            <Copy aria-hidden size={15} /> Copy resume command
          </button>
        )}
      </p>
    </div>
  );
}
