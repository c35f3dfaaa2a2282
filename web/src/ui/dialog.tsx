import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useModal } from './use-modal.ts';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  /** For two columns. */
  wide?: boolean;
}

export function Dialog({ title, onClose, children, footer, wide = false }: Props) {
  const modal = useModal(onClose);
  const titleId = useId();
  return (
    <dialog {...modal} aria-labelledby={titleId} data-wide={wide || undefined} className="sheet open:flex flex-col">
      <header className="flex items-center justify-between gap-4 border-b border-line px-5 py-3">
        <h2 id={titleId} className="text-lg font-semibold">
          {title}
        </h2>
        <button type="button" className="icon-button -mr-2" aria-label="Close" onClick={onClose}>
          <X aria-hidden size={18} />
        </button>
      </header>
      {/* A dialog that can be confirmed is a form. */}
      <div className="min-h-0 overflow-y-auto px-5 py-4" data-fields={footer ? true : undefined}>
        {children}
      </div>
      {footer && <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
    </dialog>
  );
}
