import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Passkey } from '../../../src/contract/passkeys.ts';
import { renamePasskey, revokePasskey } from '../../../src/contract/routes/passkeys.ts';
import { call, messageOf } from '../api/request.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { Failure } from '../ui/states.tsx';

export function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { id, name, deviceName, own, rpId, synced, lastUsedAt } = passkey;
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ['passkeys'] });
  const [draft, setDraft] = useState<string | null>(null);
  const rename = useMutation({
    mutationFn: (to: string) => call(renamePasskey, { params: { id }, body: { name: to } }),
    onSuccess: () => setDraft(null),
    onSettled: refresh,
  });
  const revoke = useMutation({ mutationFn: () => call(revokePasskey, { params: { id } }), onSettled: refresh });
  const isPending = rename.isPending || revoke.isPending;

  function save(event: FormEvent) {
    event.preventDefault();
    if (draft?.trim()) rename.mutate(draft.trim());
  }

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      {draft === null ? (
        <div className="min-w-0 flex-1">
          <p className="font-medium">{name}</p>
          <p className="text-sm text-ink-3">
            {own ? 'This device' : deviceName} · works at {rpId}
            {synced && ' · synced by its system'} ·{' '}
            {lastUsedAt === null ? (
              'never used'
            ) : (
              <>
                used <Elapsed since={lastUsedAt} /> ago
              </>
            )}
          </p>
        </div>
      ) : (
        <form className="flex min-w-0 flex-1 gap-2" onSubmit={save}>
          <input
            className="field min-w-0 flex-1"
            aria-label={`New name for ${name}`}
            // biome-ignore lint/a11y/noAutofocus: the button that opened it is gone
            autoFocus
            maxLength={80}
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
          />
          <button type="submit" className="button" disabled={isPending || !draft.trim()}>
            Save
          </button>
        </form>
      )}
      {draft === null && (
        <button type="button" className="button" aria-label={`Rename ${name}`} onClick={() => setDraft(name)}>
          Rename
        </button>
      )}
      <button
        type="button"
        className="button"
        aria-label={`Revoke ${name}`}
        disabled={isPending}
        onClick={() => revoke.mutate()}
      >
        Revoke
      </button>
      {rename.error && <Failure message={messageOf(rename.error)} />}
      {revoke.error && <Failure message={messageOf(revoke.error)} />}
    </li>
  );
}
