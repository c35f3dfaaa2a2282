import type { PresenceReport } from '../../../src/contract/presence.ts';

/** How often input is reported while somebody is at the page; the daemon counts one input for a minute. */
export const REPORT_EVERY_MS = 15_000;

const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

interface Options {
  tab: string;
  document: Pick<Document, 'addEventListener' | 'visibilityState'>;
  window: Pick<Window, 'addEventListener'>;
  send: (report: PresenceReport, options: { keepalive: boolean }) => Promise<unknown>;
  now?: () => number;
}

/**
 * Tells the daemon whether somebody is at this page, so that it holds a request for them and for nobody else. The first input
 * after a pause is reported at once, then at most one every 15 s. Returns a function that reports now: a daemon that was
 * restarted knows nothing of this page.
 */
export function reportPresence({ tab, document, window, send, now = () => performance.now() }: Options): () => void {
  let inputAt: number | null = null;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let pointer = '';
  const isVisible = () => document.visibilityState === 'visible';

  function report(visible: boolean) {
    reportedAt = now();
    const inputAgoMs = inputAt === null ? null : Math.round(reportedAt - inputAt);
    // a daemon that does not answer holds nothing either, and the page says that it is gone
    send({ tab, visible, inputAgoMs }, { keepalive: !visible }).catch(() => undefined);
  }

  function onInput() {
    inputAt = now();
    if (isVisible() && inputAt - reportedAt >= REPORT_EVERY_MS) report(true);
  }

  /** Browsers also send moves when the page changes under a pointer that lies still. */
  function onMove({ screenX, screenY }: { screenX: number; screenY: number }) {
    const before = pointer;
    pointer = `${screenX} ${screenY}`;
    if (before && before !== pointer) onInput();
  }

  for (const type of INPUTS) window.addEventListener(type, onInput, { passive: true, capture: true });
  window.addEventListener('pointermove', onMove, { passive: true, capture: true });
  window.addEventListener('pagehide', () => report(false));
  document.addEventListener('visibilitychange', () => {
    // switching to the page is something a person does
    if (isVisible()) inputAt = now();
    report(isVisible());
  });
  return () => report(isVisible());
}
