import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { PASSKEY_ACTION_NAMES, type PasskeyAction } from '../../../src/contract/passkey-actions.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import type { PasskeyAsk } from './passkey-asks.ts';
import { confirmByPasskey, passkeyFailure } from './passkeys.ts';

/** A button of its own: browsers ask for a passkey only after a tap, and the tap that led here may be too long ago. */
export default function PasskeyDialog({ ask }: { ask: PasskeyAsk }) {
  const [error, setError] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);

  async function confirm() {
    setPending(true);
    setError(null);
    try {
      ask.answer(await confirmByPasskey(ask.options));
    } catch (failure) {
      setError(passkeyFailure(failure));
      setPending(false);
    }
  }

  return (
    <ActionDialog
      title="Confirm with your passkey"
      action="Use passkey"
      icon={Fingerprint}
      isPending={isPending}
      error={error}
      onSubmit={() => void confirm()}
      onClose={ask.cancel}
    >
      <p>
        <strong>{PASSKEY_ACTION_NAMES[ask.action as PasskeyAction] ?? 'Change when passkeys are needed'}</strong>
      </p>
      <p className="text-ink-2">
        The passkey confirms this one action. If you lost it, run <code className="code">gctl passkeys</code> on the
        machine itself.
      </p>
    </ActionDialog>
  );
}
