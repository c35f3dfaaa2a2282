import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  /** For two columns. */
  wide?: boolean;
}

/** The browser's own modal: it holds the focus, hears Esc, and gives the focus back. Mounted means open. */
export function Dialog({ title, onClose, children, footer, wide = false }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the backdrop is for the mouse, Esc does the same
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      data-wide={wide || undefined}
      className="sheet open:flex flex-col"
      onClose={() => !ref.current?.open && onClose()}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <header className="flex items-center justify-between gap-4 border-b border-line px-5 py-3">
        <h2 id={titleId} className="text-[1.0714rem] font-semibold">
          {title}
        </h2>
        <button type="button" className="icon-button -mr-2" aria-label="Close" onClick={onClose}>
          <X aria-hidden size={18} />
        </button>
      </header>
      <div className="min-h-0 overflow-y-auto px-5 py-4">{children}</div>
      {footer && <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
    </dialog>
  );
}
