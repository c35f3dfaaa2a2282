import { Unplug } from 'lucide-react';
import { useCallback, useState } from 'react';
import { usePhase } from '../live/live.ts';
import { useClock } from '../ui/clock.ts';
import { formatSeconds } from '../ui/dates.ts';

/** A restart is quicker than this; for that, the status next to the name is enough. */
const PATIENCE_MS = 4_000;

/** Says across the whole page that it shows old data, so nobody mistakes it for a quiet board. */
export function StaleBanner() {
  const phase = usePhase();
  const [opened] = useState(() => Date.now());
  const since = phase.name === 'reconnecting' ? phase.since : phase.name === 'connecting' ? opened : null;
  const late = useClock(useCallback((now: number) => since !== null && now - since > PATIENCE_MS, [since]));
  if (!late || since === null) return null;
  return (
    <aside aria-label="Connection" data-tone="amber" className="stale-banner">
      <Unplug aria-hidden size={16} className="shrink-0 text-tone" />
      <span>
        <strong className="font-semibold">Can't reach Ground Control.</strong>{' '}
        {phase.name === 'reconnecting' ? `Last updated ${formatSeconds(since)}.` : 'Is it running?'}{' '}
        <span className="text-ink-2">
          This page reconnects on its own. To start Ground Control: <code className="code">gctl up</code>
        </span>
      </span>
    </aside>
  );
}
