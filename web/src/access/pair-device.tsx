import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Link, Role } from '../../../src/contract/access.ts';
import { createLink } from '../../../src/contract/routes/access.ts';
import { readRemote } from '../../../src/contract/routes/remote.ts';
import { call, messageOf } from '../api/request.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatTime } from '../ui/dates.ts';
import { Failure } from '../ui/states.tsx';

/** A QR code for a phone, if a phone can reach this machine at all. */
export function PairDevice({ role, projects }: { role: Role; projects: string[] }) {
  const remote = useQuery({
    queryKey: ['remote'],
    queryFn: ({ signal }) => call(readRemote, { signal }),
  });
  const invite = useMutation({ mutationFn: () => call(createLink, { body: { role, projects, remote: true } }) });
  if (!remote.data) return null;
  if (remote.data.urls.length === 0)
    return (
      <p className="text-ink-3">
        To pair a phone, first run <code className="code">gctl remote tailscale</code> or{' '}
        <code className="code">gctl remote lan</code> on this machine.
      </p>
    );
  return (
    <>
      <button type="button" className="button self-start" disabled={invite.isPending} onClick={() => invite.mutate()}>
        Pair a phone
      </button>
      {invite.error && <Failure message={messageOf(invite.error)} />}
      {invite.data && <PairingCode link={invite.data} />}
    </>
  );
}

function PairingCode({ link: { url, short = '', expiresAt } }: { link: Link }) {
  const image = useQrCode(url);
  return (
    <div className="notice flex flex-wrap items-center gap-4" data-tone="blue">
      {image && <img src={image} alt="QR code for pairing" className="size-44 rounded bg-white p-2" />}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p>Scan this with your phone's camera before {formatTime(expiresAt)}, then confirm the device here.</p>
        <p>
          Or open <strong>{new URL(url).origin}</strong> and enter{' '}
          <strong className="font-mono">{short.replace(/^(.{4})/, '$1-')}</strong>
        </p>
        <CopyButton text={url} what="link" />
      </div>
    </div>
  );
}

/** Loads the library that draws it on demand. */
function useQrCode(text: string): string | undefined {
  const [image, setImage] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    void import('uqr').then(({ renderSVG }) => {
      if (isCurrent) setImage(`data:image/svg+xml,${encodeURIComponent(renderSVG(text))}`);
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return image;
}
