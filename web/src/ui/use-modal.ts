import { type MouseEvent, type PointerEvent, useLayoutEffect, useRef } from 'react';

/** The browser's own modal dialog: it traps the focus, closes on Esc and restores the focus. Mounted means open. */
export function useModal(onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  // Close it while it is still in the page: a removed dialog doesn't restore the focus.
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
    // For the mouse only, since Esc does the same. Releasing a text selection outside the dialog also counts as a click on the backdrop, so
    // ignore that.
    onClick: ({ target }: MouseEvent) => target === ref.current && pressedOutside.current && onClose(),
  };
}

/** Focus the main field or, if there is none, the safe button. The browser would pick the close button. */
function focusFirst(dialog: HTMLDialogElement): void {
  const wanted = dialog.querySelector<HTMLElement>('[data-first]');
  if (wanted) {
    wanted.focus();
    return;
  }
  const field = dialog.querySelector<HTMLElement>('[data-fields] :is(input, select, textarea):not(:disabled)');
  // On touch devices, focus would open the on-screen keyboard over half of the dialog.
  const typing = matchMedia('(pointer: fine)').matches;
  const first = (typing && field) || dialog.querySelector<HTMLElement>('footer :is(select, button):not(:disabled)');
  first?.focus();
}
