import { GitBranch } from 'lucide-react';
import type { ReactNode } from 'react';
import { StopButton } from '../control/stop-button.tsx';
import { FamilyNote } from '../family/family-note.tsx';
import { useApprovalsOf } from '../live/live.ts';
import { ContextGauge } from '../sessions/context-gauge.tsx';
import { costText } from '../sessions/cost-text.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { StateBadge } from '../sessions/state-badge.tsx';
import { styleOf } from '../sessions/state-style.ts';
import { totalTokens } from '../sessions/total-tokens.ts';
import { formatDateTime } from '../ui/dates.ts';
import { clipLine, formatTokens, shortModel } from '../ui/format.ts';
import { Skeleton } from '../ui/states.tsx';
import { SessionActions } from './session-actions.tsx';
import { TitleEditor } from './title-editor.tsx';
import type { SessionFacts } from './use-session-facts.ts';

/** The session's title, state and key facts, on all of its tabs. */
export function SessionHead({ facts, more }: { facts: SessionFacts; more: ReactNode }) {
  const { session, history } = facts;
  const tone = session ? (session.attention === 'settling' ? 'gray' : styleOf(session.agentState).tone) : 'gray';
  const waiting = useApprovalsOf(facts.id).length;
  return (
    <header className="session-head" data-tone={tone}>
      <div className="session-head-row">
        <div className="min-w-0 flex-1">
          <div className="flex min-h-6 flex-wrap items-center gap-x-3 text-md">
            {session ? (
              <>
                <StateBadge agentState={session.agentState} tone={tone} subject={subjectOf(session.agentState)} />
                <span className="text-ink-3 tabular-nums">
                  <Elapsed since={session.stateSince} />
                </span>
                {waiting > 1 && <span className="text-ink-3">{waiting} questions</span>}
              </>
            ) : (
              history && (
                <span className="text-ink-3">
                  From the history · last active {formatDateTime(history.lastActivityAt)}
                </span>
              )
            )}
          </div>
          {session || history ? <TitleEditor facts={facts} /> : <Skeleton lines={2} what="the session" />}
        </div>
        <div className="session-actions">
          {session && facts.inView && <StopButton session={session} />}
          {more}
          <SessionActions facts={facts} />
        </div>
      </div>
      {session && <FamilyNote session={session} />}
      <Cells facts={facts} />
    </header>
  );
}

/** `Needs permission: Bash` → Bash. */
function subjectOf({
  state,
  group,
  label,
}: {
  state: string;
  group: 'needs_you' | 'autonomous' | 'delivered';
  label: string;
}) {
  const badge = styleOf({ state, group }).label;
  const line = clipLine(label, 120);
  if (line.startsWith(`${badge}: `)) return line.slice(badge.length + 2);
  return group === 'autonomous' && !line.startsWith(badge) ? line : '';
}

function Cells({ facts: { session, history } }: { facts: SessionFacts }) {
  const project = session?.projectDisplayName || history?.projectDisplayName;
  const branch = session?.gitBranch ?? history?.gitBranch;
  const model = session?.model ?? history?.models[0];
  const cost = session?.cost ?? history?.cost ?? null;
  const tokens = session?.tokens ?? history?.tokens ?? null;
  const added = session?.linesAdded ?? history?.linesAdded ?? null;
  const removed = session?.linesRemoved ?? history?.linesRemoved ?? null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section aria-label="Summary" tabIndex={0} className="session-cells">
      {project && (
        <span
          className="font-medium text-ink-2"
          title={clipLine(session?.projectPath ?? history?.projectPath ?? '', 300)}
        >
          <bdi>{clipLine(project, 60)}</bdi>
        </span>
      )}
      {branch && (
        <span title={clipLine(branch, 200)}>
          <GitBranch aria-label="Branch" size={12} className="mr-1 inline align-[-1px]" />
          <bdi>{clipLine(branch, 50)}</bdi>
        </span>
      )}
      {model && <span title={clipLine(model, 120)}>{shortModel(model)}</span>}
      {session && session.contextWindowTokens !== null && session.contextWindowLimit !== null && (
        <span>
          <ContextGauge tokens={session.contextWindowTokens} limit={session.contextWindowLimit} />
        </span>
      )}
      {cost && <span title="Cost so far, subagents included">{costText(cost)}</span>}
      {tokens && <span title="Tokens so far, subagents included">{formatTokens(totalTokens(tokens))} tokens</span>}
      {added !== null && removed !== null && added + removed > 0 && (
        <span title="Lines added and removed">
          +{added} −{removed}
        </span>
      )}
      {session?.machine && <span title="Machine">{clipLine(session.machine, 40)}</span>}
    </section>
  );
}
