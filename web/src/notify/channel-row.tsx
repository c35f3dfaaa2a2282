import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel, Notification } from '../../../src/contract/notify.ts';
import { removeChannel, retryNotification, testChannel, updateChannel } from '../../../src/contract/routes/notify.ts';
import { call, messageOf } from '../api/request.ts';
import { current, unsubscribe } from '../push/subscription.ts';
import { formatDateTime } from '../ui/dates.ts';
import { Failure } from '../ui/states.tsx';
import { Switch } from '../ui/switch.tsx';
import { KIND_NAMES, refreshChannels, STATE_NAMES } from './channels.ts';

interface Props {
  channel: Channel;
  onEdit: () => void;
}

/** One channel, whether it works, and the outcome of its last messages. */
export function ChannelRow({ channel, onEdit }: Props) {
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const refresh = () => void refreshChannels(queries);
  const test = useMutation({
    mutationFn: () => call(testChannel, { params: { id: channel.id } }),
    onSuccess: () => setOpen(true),
    onSettled: refresh,
  });
  const remove = useMutation({
    async mutationFn() {
      const own = channel.kind === 'push' ? await current() : null;
      if (own && new URL(own.endpoint).host === channel.target) await unsubscribe();
      await call(removeChannel, { params: { id: channel.id } });
    },
    onSettled: refresh,
  });
  const turn = useMutation({
    mutationFn: (enabled: boolean) => call(updateChannel, { params: { id: channel.id }, body: { enabled } }),
    onSettled: refresh,
  });
  const failure = test.error ?? remove.error ?? turn.error;

  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <div className="min-w-48 flex-1">
          <Switch checked={channel.enabled} disabled={turn.isPending} onChange={(on) => turn.mutate(on)}>
            {channel.name}
          </Switch>
          <p className="text-ink-3">
            {KIND_NAMES[channel.kind]} · {channel.target}
            {channel.delaySeconds > 0 && ` · after ${sayDelay(channel.delaySeconds)}`}
            {channel.quietHours && ` · quiet ${channel.quietHours.from}–${channel.quietHours.to}`}
          </p>
        </div>
        <div className="flex gap-2">
          <button type="button" className="button" disabled={test.isPending} onClick={() => test.mutate()}>
            Send test
          </button>
          <button type="button" className="button" aria-label={`Edit ${channel.name}`} onClick={onEdit}>
            Edit
          </button>
          <button
            type="button"
            className="button"
            aria-label={`Remove ${channel.name}`}
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Remove
          </button>
        </div>
      </div>
      {channel.broken !== null && (
        <p role="status" className="notice" data-tone="red">
          Not working: {channel.broken}.{' '}
          {channel.kind === 'push' && 'Open this page on that device to turn notifications on again.'}
        </p>
      )}
      {failure && <Failure message={messageOf(failure)} />}
      {channel.recent.length > 0 && (
        <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary className="cursor-pointer text-ink-3">Recent: {STATE_NAMES[channel.recent[0]!.state]}</summary>
          <ul className="mt-1 flex flex-col gap-1">
            {channel.recent.map((one) => (
              <RecentRow key={one.id} one={one} onChange={refresh} />
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function RecentRow({ one, onChange }: { one: Notification; onChange: () => void }) {
  const retry = useMutation({
    mutationFn: () => call(retryNotification, { params: { id: one.id } }),
    onSettled: onChange,
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 text-ink-2">
      <span className="min-w-0 flex-1 truncate">{one.title}</span>
      <span className="text-ink-3">{formatDateTime(one.shownAt ?? one.acceptedAt ?? one.createdAt)}</span>
      <span data-state={one.state} className="notification-state">
        {STATE_NAMES[one.state]}
        {one.state === 'waiting' && one.error !== null && `, next try ${formatDateTime(one.dueAt)}`}
      </span>
      {one.state === 'failed' && (
        <button type="button" className="button" disabled={retry.isPending} onClick={() => retry.mutate()}>
          Retry
        </button>
      )}
      {one.error !== null && <span className="w-full text-ink-3">{one.error}</span>}
    </li>
  );
}

function sayDelay(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
