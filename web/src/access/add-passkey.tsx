import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { PasskeyList } from '../../../src/contract/passkeys.ts';
import { Failure } from '../ui/states.tsx';
import { hasPasskeys, makePasskey, passkeyFailure } from './passkeys.ts';

/** Adds a passkey on this device, or says why it can't and what would help. */
export function AddPasskey({ here }: { here: PasskeyList['here'] }) {
  const queries = useQueryClient();
  const [name, setName] = useState(() => nameOf(navigator.userAgent));
  const [code, setCode] = useState('');
  const needsCode = here === 'needs_code';
  const add = useMutation({
    mutationFn: () => makePasskey({ name: name.trim(), code: needsCode ? code.trim() : undefined }),
    // a code works once, also if the authenticator was canceled
    onSettled: () => setCode(''),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['passkeys'] }),
  });

  if (here === 'needs_name') return <NeedsName />;
  if (!hasPasskeys()) return <p className="text-ink-3">This browser has no passkeys.</p>;
  const isReady = name.trim() !== '' && (!needsCode || code.trim() !== '');
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (isReady) add.mutate();
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <label className="flex min-w-0 flex-1 basis-40 flex-col gap-1 text-sm text-ink-2">
          Name
          <input className="field" maxLength={80} value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        {needsCode && (
          <label className="flex min-w-0 flex-1 basis-40 flex-col gap-1 text-sm text-ink-2">
            Code
            <input
              className="field font-mono"
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={40}
              value={code}
              onChange={({ target }) => setCode(target.value)}
            />
          </label>
        )}
        <button type="submit" className="button" disabled={!isReady || add.isPending}>
          Add a passkey
        </button>
      </div>
      {needsCode && (
        <p className="text-ink-3">
          Get the code on the machine itself: <code className="code">gctl passkeys code</code>. That way, someone who
          holds your unlocked device can't add a passkey.
        </p>
      )}
      {add.error && <Failure message={passkeyFailure(add.error)} />}
    </form>
  );
}

function NeedsName() {
  const { protocol, port } = location;
  return (
    <p className="text-ink-3">
      Browsers allow passkeys at host names only, and this page has an IP address.{' '}
      {protocol === 'http:' ? (
        <>
          To add one in a browser on this machine, open <code className="code">http://localhost:{port}</code> and sign
          in there.
        </>
      ) : (
        <>
          Give the machine a name: <code className="code">gctl remote tailscale</code>, or{' '}
          <code className="code">gctl remote lan --name studio.example.com</code>.
        </>
      )}
    </p>
  );
}

function nameOf(userAgent: string): string {
  const system = /Android|iPhone|iPad|Mac OS X|Windows|Linux/.exec(userAgent)?.[0];
  return system ? `Passkey on ${system === 'Mac OS X' ? 'Mac' : system}` : 'Passkey';
}
