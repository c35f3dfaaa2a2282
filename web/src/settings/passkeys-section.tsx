import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { PASSKEY_ACTION_NAMES, PASSKEY_ACTIONS } from '../../../src/contract/passkey-actions.ts';
import type { PasskeyList, PasskeySettings } from '../../../src/contract/passkeys.ts';
import { listPasskeys, savePasskeySettings } from '../../../src/contract/routes/passkeys.ts';
import { AddPasskey } from '../access/add-passkey.tsx';
import { ForAdmins } from '../access/for-operators.tsx';
import { PasskeyRow } from '../access/passkey-row.tsx';
import { call, messageOf } from '../api/request.ts';
import { Segmented } from '../ui/segmented.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Switch } from '../ui/switch.tsx';
import { Section } from './section.tsx';

const WHERE = [
  { value: 'remote', label: 'On other machines' },
  { value: 'everywhere', label: 'Everywhere' },
] as const;

const WINDOWS = [
  { value: '0', label: 'Every time' },
  { value: '60', label: '1 minute' },
  { value: '300', label: '5 minutes' },
  { value: '900', label: '15 minutes' },
] as const;

/** A second factor for what a stolen, unlocked phone must not do. */
export function PasskeysSection() {
  const list = useQuery({ queryKey: ['passkeys'], queryFn: ({ signal }) => call(listPasskeys, { signal }) });
  return (
    <Section
      title="Passkeys"
      about="A second factor for dangerous actions: your fingerprint, face or security key. Terminals of this machine never need one."
    >
      {list.isPending && <Skeleton what="the passkeys" />}
      {list.error && <Failure message={messageOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && (
        <>
          <ForAdmins>
            <WhenNeeded settings={list.data.settings} />
          </ForAdmins>
          <Passkeys list={list.data} />
        </>
      )}
    </Section>
  );
}

function WhenNeeded({ settings }: { settings: PasskeySettings }) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (changes: Partial<PasskeySettings>) => call(savePasskeySettings, { body: { ...settings, ...changes } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['passkeys'] }),
  });
  return (
    <>
      <Switch checked={settings.required} disabled={save.isPending} onChange={(required) => save.mutate({ required })}>
        Ask for a passkey before dangerous actions
      </Switch>
      {settings.required && (
        <>
          <fieldset disabled={save.isPending} className="flex flex-col">
            <legend className="mb-1 text-ink-3">To do this</legend>
            {PASSKEY_ACTIONS.map((action) => (
              <label key={action} className="flex min-h-8 items-center gap-2.5">
                <input
                  type="checkbox"
                  checked={settings.actions.includes(action)}
                  onChange={({ target }) =>
                    save.mutate({
                      actions: PASSKEY_ACTIONS.filter((one) =>
                        one === action ? target.checked : settings.actions.includes(one),
                      ),
                    })
                  }
                />
                {PASSKEY_ACTION_NAMES[action]}
              </label>
            ))}
          </fieldset>
          <div className="flex flex-wrap gap-3">
            <Segmented
              label="Where passkeys are needed"
              value={settings.where}
              options={WHERE}
              onChange={(where) => save.mutate({ where })}
            />
            <Segmented
              label="How long one confirmation counts"
              value={String(settings.windowSeconds)}
              options={WINDOWS}
              onChange={(value) => save.mutate({ windowSeconds: Number(value) })}
            />
          </div>
        </>
      )}
      {save.error && <Failure message={messageOf(save.error)} />}
    </>
  );
}

function Passkeys({ list: { passkeys, here } }: { list: PasskeyList }) {
  return (
    <>
      {passkeys.length === 0 ? (
        <p className="text-ink-3">No passkeys yet.</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <AddPasskey here={here} />
    </>
  );
}
