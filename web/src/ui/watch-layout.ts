interface Options {
  check: () => void;
  /** Whether there is anything whose position matters: reading positions makes the browser lay the page out. Called often, so it must be cheap. */
  isNeeded: () => boolean;
}

/** Calls back before the next paint after anything that can move elements on the page. Returns a function that stops it. */
export function watchLayout({ check, isNeeded }: Options): () => void {
  let frame = 0;
  const soon = () => {
    if (frame !== 0 || !isNeeded()) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      check();
    });
  };
  const changes = new MutationObserver(soon);
  changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  window.addEventListener('resize', soon);
  document.addEventListener('scroll', soon, { capture: true, passive: true });
  soon();
  return () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
    window.removeEventListener('resize', soon);
    document.removeEventListener('scroll', soon, { capture: true });
  };
}
