import { Elapsed } from '../sessions/elapsed.tsx';
import { usePhase } from './live.ts';

/** Whether the page shows current or old data. */
export function ConnectionStatus() {
  const phase = usePhase();
  const live = phase.name === 'live';
  return (
    <p
      role="status"
      data-tone={live ? 'green' : 'amber'}
      data-phase={phase.name}
      className="flex items-center gap-2 rounded-full px-2 py-1 text-sm font-medium whitespace-nowrap text-ink-2"
    >
      <span aria-hidden className="size-2 shrink-0 rounded-full bg-tone-edge" />
      {live && 'Live'}
      {phase.name === 'connecting' && 'Connecting…'}
      {phase.name === 'reconnecting' && (
        <span className="sm:whitespace-normal">
          Reconnecting…{' '}
          <span aria-hidden className="text-ink-3 tabular-nums max-sm:hidden">
            as of <Elapsed since={phase.since} /> ago
          </span>
        </span>
      )}
    </p>
  );
}
