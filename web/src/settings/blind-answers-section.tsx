import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { readNotifySettings, saveNotifySettings } from '../../../src/contract/routes/notify.ts';
import { call, messageOf } from '../api/request.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Section } from './section.tsx';

const SETTINGS = ['notify', 'settings'];

/** Commands that may be answered from a notification, which shows little of them. */
export function BlindAnswersSection() {
  const queries = useQueryClient();
  const settings = useQuery({
    queryKey: SETTINGS,
    queryFn: ({ signal }) => call(readNotifySettings, { signal }),
  });
  const [command, setCommand] = useState('');
  const blind = settings.data?.blind ?? [];
  const save = useMutation({
    mutationFn: async (change: (before: typeof blind) => typeof blind) => {
      // other devices can change the list, too
      const now = await call(readNotifySettings);
      return call(saveNotifySettings, { body: { ...now, blind: change(now.blind) } });
    },
    onSuccess: (saved) => queries.setQueryData(SETTINGS, saved),
  });

  function add(event: FormEvent) {
    event.preventDefault();
    const pattern = command.trim();
    if (!pattern) return;
    const added = { toolName: 'Bash', parameters: { command: pattern } };
    save.mutate((before) => [...before.filter((one) => describe(one) !== describe(added)), added], {
      onSuccess: () => setCommand(''),
    });
  }

  return (
    <Section
      title="Answers from notifications"
      about="Commands you can allow or deny on the notification itself, without opening the page."
    >
      {settings.isPending && <Skeleton lines={2} what="the commands" />}
      {settings.error && <Failure message={messageOf(settings.error)} onRetry={() => void settings.refetch()} />}
      {settings.data && blind.length === 0 && (
        <p className="text-ink-3">None. Notifications open the request instead.</p>
      )}
      {blind.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {blind.map((pattern) => (
            <li key={describe(pattern)} className="flex flex-wrap items-center gap-3 py-2">
              <p className="min-w-0 flex-1 font-mono text-md break-all">{describe(pattern)}</p>
              <button
                type="button"
                className="button"
                aria-label={`Remove ${describe(pattern)}`}
                disabled={save.isPending}
                onClick={() => save.mutate((before) => before.filter((one) => describe(one) !== describe(pattern)))}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className="flex flex-wrap items-end gap-2" onSubmit={add}>
        <label className="flex min-w-0 flex-1 basis-64 flex-col gap-1 text-sm text-ink-2">
          Command
          <input
            className="field font-mono"
            placeholder="npm test*"
            value={command}
            onChange={(event) => setCommand(event.target.value)}
          />
        </label>
        <button type="submit" className="button" disabled={!command.trim() || save.isPending}>
          Add
        </button>
      </form>
      <p className="text-sm text-ink-3">Patterns work like allow rules: every part of a command must be covered.</p>
      {save.error && <Failure message={messageOf(save.error)} />}
    </Section>
  );
}

function describe({ toolName, parameters }: { toolName: string; parameters: Record<string, string> }): string {
  const values = Object.values(parameters);
  return values.length === 0 ? toolName : `${toolName}(${values.join(', ')})`;
}
