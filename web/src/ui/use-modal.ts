import { type MouseEvent, type PointerEvent, useLayoutEffect, useRef } from 'react';

/** The browser's own modal: it holds the focus, hears Esc, and gives the focus back. Mounted means open. */
export function useModal(onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  // closed while it is still in the page: one that has been removed gives the focus back to nobody
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    if (dialog) focusFirst(dialog);
    return () => dialog?.close();
  }, []);

  return {
    ref,
    onClose: () => !ref.current?.open && onClose(),
    onPointerDown: ({ target }: PointerEvent) => {
      pressedOutside.current = target === ref.current;
    },
    // for the mouse only, since Esc does the same; who selects text and lets go beyond the edge has clicked on the backdrop, as browsers see it
    onClick: ({ target }: MouseEvent) => target === ref.current && pressedOutside.current && onClose(),
  };
}

/** To what it says comes first, or the field that it is about, else to what leaves everything as it is; the browser would take the cross above. */
function focusFirst(dialog: HTMLDialogElement): void {
  const wanted = dialog.querySelector<HTMLElement>('[data-first]');
  if (wanted) {
    wanted.focus();
    return;
  }
  const field = dialog.querySelector<HTMLElement>('[data-fields] :is(input, select, textarea):not(:disabled)');
  // where there are no keys, the focus would call them up over half of the dialog
  const typing = matchMedia('(pointer: fine)').matches;
  const first = (typing && field) || dialog.querySelector<HTMLElement>('footer :is(select, button):not(:disabled)');
  first?.focus();
}
