/** Positions are read at most this often: reading them makes the browser lay the page out. */
const PAUSE_MS = 100;

interface Options {
  check: () => void;
  /** Whether there is anything whose position matters. Called often, so it must be cheap. */
  isNeeded: () => boolean;
}

/** Calls back soon after anything that can move elements on the page. Returns a function that stops it. */
export function watchLayout({ check, isNeeded }: Options): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    if (timer !== undefined || !isNeeded()) return;
    timer = setTimeout(() => {
      timer = undefined;
      check();
    }, PAUSE_MS);
  };
  const changes = new MutationObserver(soon);
  changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  window.addEventListener('resize', soon);
  document.addEventListener('scroll', soon, { capture: true, passive: true });
  soon();
  return () => {
    clearTimeout(timer);
    changes.disconnect();
    window.removeEventListener('resize', soon);
    document.removeEventListener('scroll', soon, { capture: true });
  };
}
