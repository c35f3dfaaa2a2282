import { Suspense, useState } from 'react';
import { lazyPart } from '../../app/load-part.ts';
import { useSession } from '../../live/live.ts';
import type { ApprovalDraft } from '../answer/approval-draft.ts';
import { type FormProps, useAnswer } from '../answer/use-answer.ts';
import { CallView } from '../request/call-view.tsx';
import { editsIn } from '../request/edits-in.ts';
import { ShowAll } from '../request/show-all.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { EditForm } from './edit-form.tsx';
import { ExplainButton, RefusalForm } from './refusal-form.tsx';

const AlwaysDialog = lazyPart(() => import('./always-dialog.tsx'));

export function PermissionForm({ approval, disabled, hides, canAllow }: FormProps) {
  const { draft, opened, write, decide } = useAnswer(approval);
  const session = useSession(approval.sessionId);
  const [always, setAlways] = useState(false);
  const mode = modeOf(approval, draft);
  const rule = (open: boolean) => {
    setAlways(open);
    write({ isCreatingRule: open });
  };
  return (
    <>
      <CallView
        toolName={approval.toolName}
        input={approval.toolInput}
        folder={session?.projectPath}
        approvalId={approval.id}
      />
      <ShowAll what={whatOf(approval)} hides={hides} before="Show the full request before you allow it." />
      {mode === 'edit' && (
        <EditForm approval={approval} disabled={disabled} draft={draft} write={write} decide={decide} />
      )}
      {mode === 'refuse' && (
        <RefusalForm
          id={approval.id}
          label="Why not? Sent to the agent."
          action="Deny"
          disabled={disabled}
          opened={opened}
          draft={draft}
          write={write}
          decide={decide}
        />
      )}
      {mode === 'answer' && (
        <AnswerActions approval={approval}>
          <button
            type="button"
            className="button"
            data-kind="primary"
            data-decides
            disabled={!canAllow}
            onClick={() => decide({ decision: 'allow' })}
          >
            Allow
          </button>
          <button
            type="button"
            className="button"
            data-decides
            disabled={disabled}
            onClick={() => decide({ decision: 'deny' })}
          >
            Deny
          </button>
          <ExplainButton label="Deny because…" disabled={disabled} write={write} />
          <button
            type="button"
            data-edit
            className="button"
            disabled={!canAllow}
            onClick={() => write({ editing: true })}
          >
            Edit…
          </button>
          <button type="button" data-always className="button" disabled={!canAllow} onClick={() => rule(true)}>
            Always…
          </button>
          {session?.driver.capabilities.shells && approval.toolName === 'Bash' && (
            <>
              <button
                type="button"
                className="button"
                data-decides
                disabled={!canAllow}
                onClick={() => decide({ decision: 'allow', how: 'background' })}
              >
                Run in background
              </button>
              <button
                type="button"
                className="button"
                data-decides
                disabled={disabled}
                onClick={() => decide({ decision: 'deny', how: 'kill' })}
              >
                Kill
              </button>
            </>
          )}
        </AnswerActions>
      )}
      {always && (
        <Suspense>
          <AlwaysDialog approval={approval} onDecide={decide} onClose={() => rule(false)} />
        </Suspense>
      )}
    </>
  );
}

function whatOf({ toolName, toolInput }: FormProps['approval']): string {
  if (typeof toolInput.command === 'string') return 'command';
  return editsIn(toolName, toolInput) ? 'diff' : 'request';
}

function modeOf({ held }: FormProps['approval'], { explaining, editing }: ApprovalDraft): 'answer' | 'refuse' | 'edit' {
  if (held) return 'answer';
  if (explaining) return 'refuse';
  return editing ? 'edit' : 'answer';
}
