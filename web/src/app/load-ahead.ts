import type { LiveConnection } from '../live/connect.ts';
import { loadNext } from './load-part.ts';

/** The board comes first, and that's what people look at after opening the app. */
const PAUSE_MS = 4_000;

/**
 * Prefetches the other pages while idle, so they open instantly, even if the daemon is down. One at a time: parsing a page's code blocks
 * input for a moment.
 */
export function loadAhead(connection: LiveConnection): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = () => {
    clearTimeout(timer);
    if (connection.phase().name === 'live') timer = setTimeout(() => whenIdle(next), PAUSE_MS);
  };
  const next = async () => {
    if (connection.phase().name === 'live' && (await loadNext())) whenIdle(next);
  };
  connection.subscribe(follow);
  if (document.readyState === 'complete') follow();
  else window.addEventListener('load', follow, { once: true });
}

function whenIdle(run: () => void): void {
  // Safari doesn't support requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(() => run());
  else setTimeout(run, 200);
}
