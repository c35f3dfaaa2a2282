import { Segmented } from '../ui/segmented.tsx';
import { customRange, localDay, type Preset, type Range } from './range.ts';

const OPTIONS: ReadonlyArray<{ value: Preset | 'custom'; label: string }> = [
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: 'all', label: 'All' },
  { value: 'custom', label: 'Custom' },
];

interface Props {
  preset: Preset | 'custom';
  range: Range;
  onChange: (range: string) => void;
}

export function RangePicker({ preset, range, onChange }: Props) {
  const today = localDay(new Date());
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented
        label="Time"
        value={preset}
        options={OPTIONS}
        onChange={(next) =>
          onChange(next === 'custom' ? customRange({ ...range, before: range.before ?? today }) : next)
        }
      />
      {preset === 'custom' && (
        <span className="flex flex-wrap items-center gap-2">
          <input
            type="date"
            aria-label="First day"
            className="field w-auto"
            max={range.before ?? today}
            value={range.after ?? ''}
            onChange={(event) => onChange(customRange({ ...range, after: event.target.value }))}
          />
          <span className="text-ink-3">to</span>
          <input
            type="date"
            aria-label="Last day"
            className="field w-auto"
            min={range.after}
            max={today}
            value={range.before ?? ''}
            onChange={(event) => onChange(customRange({ ...range, before: event.target.value }))}
          />
        </span>
      )}
    </div>
  );
}
