import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../../api/request.ts';
import { send } from '../../api/send.ts';

/** An image from the daemon as a URL for <img>, which can't send credentials itself. */
export function useImage(path: string) {
  const [src, setSrc] = useState<string>();
  const [broken, setIsBroken] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    let url: string | undefined;
    setIsBroken(false);
    load(path, leaving.signal).then(
      (blob) => {
        if (leaving.signal.aborted) return;
        url = URL.createObjectURL(blob);
        setSrc(url);
      },
      () => {
        if (!leaving.signal.aborted) setIsBroken(true);
      },
    );
    return () => {
      leaving.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [path]);
  return { src, broken, setBroken: useCallback(() => setIsBroken(true), []) };
}

async function load(path: string, signal: AbortSignal): Promise<Blob> {
  const response = await send(path, { signal });
  if (!response.ok) throw await ApiError.from(response);
  return response.blob();
}
