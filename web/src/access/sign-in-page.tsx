import { type FormEvent, useState } from 'react';
import { messageOf } from '../api/request.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import { pair } from './pair.ts';
import { readPairingCode } from './pairing-code.ts';

/** Shown when the daemon doesn't know this browser. `onSignedIn` is called once it does. */
export function SignInPage({ onSignedIn }: { onSignedIn: () => void }) {
  const [pasted, setPasted] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(takeFailedLink);
  const [match, setMatch] = useState<string | null>(null);
  const code = readPairingCode(pasted);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    try {
      await pair(code, setMatch);
      onSignedIn();
    } catch (failure) {
      setError(messageOf(failure));
      setMatch(null);
      setBusy(false);
    }
  }

  return (
    <main className="grid min-h-dvh place-items-center bg-bay p-6 pb-[14vh]">
      <div className="flex w-full max-w-[26rem] flex-col gap-5">
        <BrandMark size={44} />
        <div className="flex flex-col gap-2">
          <h1 className="text-3xl font-semibold tracking-tight">Sign in to Ground Control</h1>
          <p className="text-ink-2">
            On the machine where it runs, run <code className="code">gctl link</code>, or{' '}
            <code className="code">gctl pair</code> for a phone. It prints a link that signs in one browser, once. Open
            the link here, or enter its code.
          </p>
        </div>
        <form className="flex flex-col gap-3" onSubmit={submit}>
          <label className="flex flex-col gap-1.5 font-medium">
            Link or code
            <input
              className="field min-h-11 font-mono"
              name="code"
              autoComplete="one-time-code"
              autoCapitalize="off"
              spellCheck={false}
              // biome-ignore lint/a11y/noAutofocus: the one thing to do on this page
              autoFocus
              value={pasted}
              onChange={(event) => setPasted(event.target.value)}
            />
          </label>
          {match && (
            <p role="status" className="notice" data-tone="blue">
              Confirm on your computer that it shows the same code: <strong className="font-mono">{match}</strong>
            </p>
          )}
          {error && (
            <p role="alert" className="notice" data-tone="red">
              {error}
            </p>
          )}
          <button type="submit" className="button min-h-11" data-kind="primary" disabled={busy || code === ''}>
            {busy ? 'Signing in…' : 'Sign in'}
          </button>
        </form>
      </div>
    </main>
  );
}

/** A used or expired link brings the browser back here with `?pair=failed`. Shown once. */
function takeFailedLink(): string | null {
  if (new URLSearchParams(location.search).get('pair') !== 'failed') return null;
  history.replaceState(null, '', location.pathname);
  return 'That link was already used or has expired. Run gctl link for a new one.';
}
