/** Positions are read at most this often: reading them makes the browser lay the page out. */
const PAUSE_MS = 100;

interface Options {
  check: () => void;
  /** Whether there is anything whose position matters. Called often, so it must be cheap. */
  isNeeded: () => boolean;
}

/** Calls back before the next paint after anything that can move elements on the page, less often while it keeps changing. Returns a function that stops it. */
export function watchLayout({ check, isNeeded }: Options): () => void {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const run = () => {
    frame = 0;
    checkedAt = performance.now();
    check();
  };
  const soon = () => {
    if (frame !== 0 || timer !== undefined || !isNeeded()) return;
    const wait = checkedAt + PAUSE_MS - performance.now();
    // the first change before the next paint, those that follow it together
    if (wait <= 0) frame = requestAnimationFrame(run);
    else
      timer = setTimeout(() => {
        timer = undefined;
        frame = requestAnimationFrame(run);
      }, wait);
  };
  const changes = new MutationObserver(soon);
  changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  window.addEventListener('resize', soon);
  document.addEventListener('scroll', soon, { capture: true, passive: true });
  soon();
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    changes.disconnect();
    window.removeEventListener('resize', soon);
    document.removeEventListener('scroll', soon, { capture: true });
  };
}
