import { useRef } from 'react';
import { clip } from '../../ui/format.ts';
import { useFullView, useLeftOut, useTruncation } from '../../ui/full-view.ts';
import { RevealHidden } from './reveal-hidden.tsx';

/** Rendering more at once would stall the page, so the rest is rendered on demand. */
const SHOWN_CHARS = 10_000;

interface Props {
  text: string;
  label: string;
  /** Prose wraps between words and has its own text direction. */
  prose?: boolean;
}

/** Wrapped text of a tool call, in a box with limited height until it is expanded. */
export function CallText({ text, label, prose = false }: Props) {
  const { isOpen } = useFullView();
  const box = useRef<HTMLElement>(null);
  const shown = isOpen ? text : clip(text, { max: SHOWN_CHARS });
  const { isTruncated, isAtEnd, check } = useTruncation(box, { content: shown, mayScroll: prose });
  useLeftOut(shown !== text);
  return (
    <section
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="call-text"
      data-more={(isTruncated && !isAtEnd) || undefined}
      onScroll={check}
      data-prose={prose || undefined}
      dir={prose ? 'auto' : 'ltr'}
    >
      <RevealHidden text={shown} />
    </section>
  );
}
