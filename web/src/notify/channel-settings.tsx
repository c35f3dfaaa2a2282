import type { Channel, ChannelSettings } from '../../../src/contract/notify.ts';
import { NOTICE_KINDS } from '../../../src/contract/notify-kinds.ts';
import { NOTICE_NAMES } from './channels.ts';

type Settings = Omit<ChannelSettings, 'name' | 'enabled'>;

interface Props {
  value: Settings;
  /** The channels that this one can escalate from. */
  others: readonly Pick<Channel, 'id' | 'name'>[];
  onChange: (value: Settings) => void;
}

const DELAYS = [
  [0, 'Immediately'],
  [60, 'After 1 minute without an answer'],
  [300, 'After 5 minutes without an answer'],
  [900, 'After 15 minutes without an answer'],
  [3600, 'After 1 hour without an answer'],
] as const;

/** When a channel is used, and for what. */
export function ChannelSettingsForm({ value, others, onChange }: Props) {
  const set = (changes: Partial<Settings>) => onChange({ ...value, ...changes });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const quiet = value.quietHours;
  return (
    <>
      <fieldset className="flex flex-wrap gap-x-5">
        <legend className="mb-1 text-ink-3">Notify me about</legend>
        {NOTICE_KINDS.map((kind) => (
          <label key={kind} className="flex min-h-8 items-center gap-2">
            <input
              type="checkbox"
              checked={value.kinds.includes(kind)}
              onChange={({ target }) =>
                set({ kinds: target.checked ? [...value.kinds, kind] : value.kinds.filter((one) => one !== kind) })
              }
            />
            {NOTICE_NAMES[kind]}
          </label>
        ))}
      </fieldset>
      <label className="flex items-center justify-between gap-4">
        Send
        <select
          className="field w-72"
          value={value.delaySeconds}
          onChange={({ target }) => set({ delaySeconds: Number(target.value) })}
        >
          {DELAYS.map(([seconds, label]) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {others.length > 0 && (
        <label className="flex items-center justify-between gap-4">
          Escalate from
          <select
            className="field w-72"
            value={value.after ?? ''}
            onChange={({ target }) => set({ after: target.value || null })}
          >
            <option value="">No other channel</option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {value.after !== null && (
        <p className="text-ink-3">The delay starts when that channel sends, and ends early if sending fails.</p>
      )}
      <label className="flex min-h-8 items-center gap-2">
        <input
          type="checkbox"
          checked={quiet !== null}
          onChange={({ target }) =>
            set({ quietHours: target.checked ? { from: '22:00', to: '07:00', timeZone: zone } : null })
          }
        />
        Quiet hours
      </label>
      {quiet && (
        <p className="flex flex-wrap items-center gap-2 ps-6">
          <input
            type="time"
            required
            aria-label="Quiet from"
            className="field"
            value={quiet.from}
            onChange={({ target }) => set({ quietHours: { ...quiet, from: target.value } })}
          />
          to
          <input
            type="time"
            required
            aria-label="Quiet until"
            className="field"
            value={quiet.to}
            onChange={({ target }) => set({ quietHours: { ...quiet, to: target.value } })}
          />
          <span className="text-ink-3">{quiet.timeZone}</span>
        </p>
      )}
      <label className="flex min-h-8 items-center gap-2">
        <input type="checkbox" checked={value.details} onChange={({ target }) => set({ details: target.checked })} />
        Include the session title and command (secrets masked)
      </label>
      <label className="flex min-h-8 items-center gap-2">
        <input
          type="checkbox"
          checked={value.whileActive}
          onChange={({ target }) => set({ whileActive: target.checked })}
        />
        Also while I'm using Ground Control
      </label>
    </>
  );
}
