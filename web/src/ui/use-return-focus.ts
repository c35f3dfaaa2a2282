import { type RefObject, useLayoutEffect } from 'react';

/**
 * When the focused element disappears, the focus goes to the card or row around it. Otherwise the browser drops it, and keyboard users
 * start over at the top of the page.
 */
export function useReturnFocus(ref: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    let inside = element.contains(document.activeElement);
    const enter = () => {
      inside = true;
    };
    const leave = ({ relatedTarget, target }: FocusEvent) => {
      // A button that is disabled while its request is in flight loses the focus too, but nobody left it.
      const dropped = relatedTarget === null && target instanceof HTMLElement && target.matches(':disabled');
      if (!dropped) inside = element.contains(relatedTarget as Node | null);
    };
    element.addEventListener('focusin', enter);
    element.addEventListener('focusout', leave);
    return () => {
      element.removeEventListener('focusin', enter);
      element.removeEventListener('focusout', leave);
      // Nothing behind an open dialog may take the focus.
      for (const dialog of element.querySelectorAll<HTMLDialogElement>('dialog:modal')) dialog.close();
      const now = document.activeElement;
      const elsewhere = now !== null && now !== document.body && !element.contains(now);
      if (!inside || elsewhere) return;
      const home = element.closest<HTMLElement>('[data-focus-home], article');
      const stand = home?.querySelector<HTMLElement>('[data-card], [data-row][aria-current]') ?? home;
      stand?.focus({ preventScroll: true });
    };
  }, [ref]);
}
