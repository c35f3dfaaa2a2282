import { Suspense, useState } from 'react';
import { lazyPart } from '../app/load-part.ts';
import { useSession } from '../live/live.ts';
import { CallView } from './call-view.tsx';
import { ExplainButton, RefusalForm } from './refusal-form.tsx';
import { type FormProps, useAnswer } from './use-answer.ts';

const AlwaysDialog = lazyPart(() => import('./always-dialog.tsx'));

export function PermissionForm({ approval, disabled }: FormProps) {
  const { draft, opened, write, decide } = useAnswer(approval);
  const session = useSession(approval.sessionId);
  const [always, setAlways] = useState(false);
  const rule = (open: boolean) => {
    setAlways(open);
    write({ ruling: open });
  };
  return (
    <>
      <CallView toolName={approval.toolName} input={approval.toolInput} folder={session?.projectPath} />
      {draft.explaining ? (
        <RefusalForm
          id={approval.id}
          label="Why not? The agent reads this."
          action="Deny"
          disabled={disabled}
          opened={opened}
          draft={draft}
          write={write}
          decide={decide}
        />
      ) : (
        <div className="answer-actions">
          <button
            type="button"
            className="button"
            data-kind="primary"
            disabled={disabled}
            onClick={() => decide({ decision: 'allow' })}
          >
            Allow
          </button>
          <button type="button" className="button" disabled={disabled} onClick={() => decide({ decision: 'deny' })}>
            Deny
          </button>
          <ExplainButton label="Deny because…" disabled={disabled} write={write} />
          <button type="button" className="button" disabled={disabled} onClick={() => rule(true)}>
            Always…
          </button>
        </div>
      )}
      {always && (
        <Suspense>
          <AlwaysDialog approval={approval} onDecide={decide} onClose={() => rule(false)} />
        </Suspense>
      )}
    </>
  );
}
