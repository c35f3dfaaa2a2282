import type { FanOut } from '../../../src/contract/fan-outs.ts';

const STATES: Record<FanOut['state'], { tone: string; label: string }> = {
  starting: { tone: 'gray', label: 'Starting' },
  running: { tone: 'green', label: 'Running' },
  finished: { tone: 'amber', label: 'Choose one' },
  kept: { tone: 'blue', label: 'Kept' },
  discarded: { tone: 'gray', label: 'Discarded' },
};

export function FanOutMark({ fanOut: { state, kept } }: { fanOut: Pick<FanOut, 'state' | 'kept'> }) {
  const { tone, label } = STATES[state];
  return (
    <span className="worktree-state" data-tone={tone}>
      {kept ? `${label} ${kept.run}` : label}
    </span>
  );
}
