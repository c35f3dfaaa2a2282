import type { PresenceReport } from '../../../src/contract/presence.ts';

/** How often input is reported while someone uses the page. The daemon treats one input as a minute of presence. */
export const REPORT_EVERY_MS = 15_000;

/** How often a visible page reports that it is still there: it may share another tab's stream and would otherwise vanish unnoticed. */
const STILL_HERE_MS = 10_000;

const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

interface Options {
  tab: string;
  document: Pick<Document, 'addEventListener' | 'visibilityState'>;
  window: Pick<Window, 'addEventListener'>;
  send: (report: PresenceReport, options: { keepalive: boolean }) => Promise<unknown>;
  now?: () => number;
  every?: (run: () => void, ms: number) => void;
}

/**
 * Tells the daemon whether someone is at this page, so it holds requests only if so. The first input after a pause is reported at once,
 * then at most one every 15 s. Returns a function that reports now, for a restarted daemon that knows nothing of this page.
 */
export function reportPresence({ tab, document, window, send, ...options }: Options): () => void {
  const { now = () => performance.now(), every = setInterval } = options;
  let inputAt: number | null = null;
  /** The latest input the daemon knows of. */
  let reportedInputAt: number | null = null;
  let pointer = '';
  const isVisible = () => document.visibilityState === 'visible';

  function report(visible: boolean) {
    reportedInputAt = inputAt;
    const inputAgoMs = inputAt === null ? null : Math.round(now() - inputAt);
    // A daemon that doesn't answer holds nothing either, and the page says it is gone.
    send({ tab, visible, inputAgoMs }, { keepalive: !visible }).catch(() => undefined);
  }

  function onInput() {
    inputAt = now();
    if (isVisible() && (reportedInputAt === null || inputAt - reportedInputAt >= REPORT_EVERY_MS)) report(true);
  }

  /** Browsers also send moves when the page changes under a still pointer. */
  function onMove({ screenX, screenY }: { screenX: number; screenY: number }) {
    const before = pointer;
    pointer = `${screenX} ${screenY}`;
    if (before && before !== pointer) onInput();
  }

  for (const type of INPUTS) window.addEventListener(type, onInput, { passive: true, capture: true });
  window.addEventListener('pointermove', onMove, { passive: true, capture: true });
  window.addEventListener('pagehide', () => report(false));
  document.addEventListener('visibilitychange', () => {
    // Switching to the page takes a person.
    if (isVisible()) inputAt = now();
    report(isVisible());
  });
  every(() => isVisible() && report(true), STILL_HERE_MS);
  return () => report(isVisible());
}
