import { type RefObject, useLayoutEffect } from 'react';

/**
 * When what has the focus goes away, it goes to what stands for it: the card or the row around it. Otherwise the
 * browser drops it, and whoever works by keyboard starts over at the top of the page.
 */
export function useReturnFocus(ref: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const home = element.closest('[data-focus-home]') ?? element.closest('article');
      home?.querySelector<HTMLElement>('[data-card], [data-row]')?.focus({ preventScroll: true });
    };
  }, [ref]);
}
