import { isFinished } from '../../../src/contract/lifecycles.ts';
import type { OrchestratedSession } from '../../../src/contract/orchestration.ts';
import { useSession } from '../live/live.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { StateBadge } from '../sessions/state-badge.tsx';
import { styleOf } from '../sessions/state-style.ts';
import { clipLine, humanize } from '../ui/format.ts';

/** The state of a session that was started from here: live while it works, how it ended after that. */
export function FamilyState({
  session: { id, lifecycle: known, createdAt, startedAt, finishedAt, error },
}: {
  session: OrchestratedSession;
}) {
  const live = useSession(id);
  const lifecycle = live?.orchestration?.lifecycle ?? known;
  if (live && !isFinished(lifecycle))
    return <StateBadge agentState={live.agentState} tone={styleOf(live.agentState).tone} subject="" />;
  return (
    <span className="text-ink-2" title={error === null ? undefined : clipLine(error, 300)}>
      {humanize(lifecycle)}
      {startedAt !== null && finishedAt !== null && (
        <span className="text-ink-3">
          {' '}
          after <Elapsed since={startedAt ?? createdAt} until={finishedAt} />
        </span>
      )}
    </span>
  );
}
