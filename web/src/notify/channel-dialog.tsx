import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { Channel } from '../../../src/contract/notify.ts';
import { createChannel, updateChannel } from '../../../src/contract/routes/notify.ts';
import { call, messageOf } from '../api/request.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/states.tsx';
import { type AddedKind, FIELDS, toTarget } from './channel-fields.ts';
import { ChannelSettingsForm } from './channel-settings.tsx';
import { KIND_NAMES, refreshChannels, useChannels } from './channels.ts';

interface Props {
  /** null: a new one. */
  channel: Channel | null;
  onClose: () => void;
}

const DEFAULTS = {
  kinds: ['permission', 'question', 'plan', 'error', 'stuck'] as Channel['kinds'],
  projects: [],
  delaySeconds: 0,
  after: null as string | null,
  quietHours: null,
  whileActive: false,
  details: false,
};

/** Adds a channel, or changes how one is used. Its destination can't be changed, since its secrets are never shown again. */
export function ChannelDialog({ channel, onClose }: Props) {
  const form = useId();
  const queries = useQueryClient();
  const [kind, setKind] = useState<AddedKind>('webhook');
  const [name, setName] = useState(channel?.name ?? '');
  const [values, setValues] = useState<Record<string, string | boolean>>({});
  const [settings, setSettings] = useState(() => (channel ? pick(channel) : DEFAULTS));
  const save = useMutation({
    mutationFn: () =>
      channel
        ? call(updateChannel, { params: { id: channel.id }, body: { name, ...settings } })
        : call(createChannel, { body: { name, ...settings, target: toTarget(kind, values) } }),
    onSuccess({ secret }) {
      void refreshChannels(queries);
      if (secret === undefined) onClose();
    },
  });
  const secret = save.data?.secret;
  const others = (useChannels().data?.channels ?? []).filter(({ id }) => id !== channel?.id);

  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate();
  }

  return (
    <Dialog
      title={channel ? `Edit ${channel.name}` : 'Add a channel'}
      onClose={onClose}
      footer={
        secret === undefined ? (
          <>
            <button type="button" className="button" onClick={onClose}>
              Cancel
            </button>
            <button type="submit" form={form} className="button" data-kind="primary" disabled={save.isPending}>
              {channel ? 'Save' : 'Add channel'}
            </button>
          </>
        ) : (
          <button type="button" className="button" data-kind="primary" onClick={onClose}>
            Done
          </button>
        )
      }
    >
      {secret === undefined ? (
        <form id={form} className="flex w-[30rem] max-w-full flex-col gap-3" onSubmit={submit}>
          {!channel && (
            <label className="flex items-center justify-between gap-4">
              Send to
              <select className="field w-44" value={kind} onChange={({ target }) => setKind(target.value as AddedKind)}>
                {Object.keys(FIELDS).map((one) => (
                  <option key={one} value={one}>
                    {KIND_NAMES[one as AddedKind]}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label className="flex flex-col gap-1">
            Name
            <input
              required
              maxLength={80}
              className="field"
              placeholder="On-call phone"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          </label>
          {!channel &&
            FIELDS[kind].map((field) =>
              field.type === 'checkbox' ? (
                <label key={field.name} className="flex min-h-8 items-center gap-2">
                  <input
                    type="checkbox"
                    checked={values[field.name] === true}
                    onChange={({ target }) => setValues({ ...values, [field.name]: target.checked })}
                  />
                  {field.label}
                </label>
              ) : (
                <label key={field.name} className="flex flex-col gap-1">
                  <span>
                    {field.label} {field.optional && <span className="text-ink-3">(optional)</span>}
                  </span>
                  <input
                    required={!field.optional}
                    type={field.type}
                    autoComplete="off"
                    className="field"
                    placeholder={field.placeholder}
                    value={String(values[field.name] ?? '')}
                    onChange={({ target }) => setValues({ ...values, [field.name]: target.value })}
                  />
                </label>
              ),
            )}
          <ChannelSettingsForm value={settings} others={others} onChange={setSettings} />
          {save.error && <Failure message={messageOf(save.error)} />}
        </form>
      ) : (
        <div className="flex w-[30rem] max-w-full flex-col gap-3">
          <p>Check the signature of each message with this secret. It won't be shown again.</p>
          <p className="flex items-center gap-2">
            <span className="min-w-0 flex-1 font-mono break-all">{secret}</span>
            <CopyButton text={secret} what="secret" />
          </p>
        </div>
      )}
    </Dialog>
  );
}

function pick({ kinds, projects, delaySeconds, after, quietHours, whileActive, details }: Channel) {
  return { kinds, projects, delaySeconds, after, quietHours, whileActive, details };
}
