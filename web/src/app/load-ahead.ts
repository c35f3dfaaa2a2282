import type { LiveConnection } from '../live/connect.ts';
import { loadNext } from './load-part.ts';

/** The board comes first, and whoever has just come looks at it. */
const PAUSE_MS = 4_000;

/**
 * Fetches the other pages while nothing else is to be done, so that they open at once, and also while the daemon is away. One at a time:
 * reading a page's code takes a moment in which nobody can click.
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
  // Safari has no such thing
  if ('requestIdleCallback' in window) requestIdleCallback(() => run());
  else setTimeout(run, 200);
}
