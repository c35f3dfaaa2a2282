import { Search } from 'lucide-react';
import { useModal } from '../ui/use-modal.ts';

export const PALETTE_HINT = 'Session, page or action…';

interface Props {
  onText: (text: string) => void;
  onClose: () => void;
}

/** Captures keys while the palette loads: typing after Ctrl-K must not act on the page behind it. */
export function PaletteFrame({ onText, onClose }: Props) {
  const modal = useModal(onClose);
  return (
    <dialog {...modal} aria-label="Command palette" className="sheet palette">
      <div className="flex items-center gap-2 px-4">
        <Search aria-hidden size={17} className="shrink-0 text-ink-3" />
        <input
          data-first
          aria-label="Command palette"
          placeholder={PALETTE_HINT}
          className="palette-input"
          onChange={(event) => onText(event.target.value)}
        />
      </div>
    </dialog>
  );
}
