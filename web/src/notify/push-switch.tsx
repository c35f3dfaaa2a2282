import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useOwnDevice } from '../access/use-own-device.ts';
import { messageOf } from '../api/request.ts';
import { PushRefused, type PushSupport, pushSupport, subscribe } from '../push/subscription.ts';
import { Failure } from '../ui/states.tsx';
import { refreshChannels, useChannels } from './channels.ts';

const WHY_NOT: Record<Exclude<PushSupport, 'ready'>, string> = {
  insecure: 'Push notifications need HTTPS. Set it up with gctl remote.',
  install:
    'To get notifications on this iPhone or iPad, tap Share, then Add to Home Screen, and open the app from there.',
  unsupported: "This browser doesn't support push notifications.",
};

/** Turns on push notifications in this browser. */
export function PushSwitch() {
  const queries = useQueryClient();
  const channels = useChannels();
  const own = useOwnDevice();
  const turnOn = useMutation({ mutationFn: subscribe, onSettled: () => refreshChannels(queries) });
  const support = pushSupport();
  if (support !== 'ready') return <p className="text-ink-3">{WHY_NOT[support]}</p>;
  const isOn = channels.data?.channels.some(({ kind, deviceId }) => kind === 'push' && deviceId === own?.id);
  if (isOn) return <p className="text-ink-3">Push is on for this browser.</p>;
  return (
    <>
      <button
        type="button"
        className="button self-start"
        data-kind="primary"
        disabled={turnOn.isPending || !channels.data}
        onClick={() => turnOn.mutate()}
      >
        Turn on push for this browser
      </button>
      {turnOn.error && <Failure message={explain(turnOn.error)} />}
    </>
  );
}

function explain(error: Error): string {
  if (error instanceof PushRefused) return error.message;
  // the browser couldn't reach its own push service
  if (error instanceof DOMException) return `Your browser couldn't subscribe to push: ${error.message}`;
  return messageOf(error);
}
