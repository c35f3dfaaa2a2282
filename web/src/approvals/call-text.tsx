import { useRef } from 'react';
import { clip } from '../ui/format.ts';
import { useCutOff, useLeftOut, useWholeView } from '../ui/whole-view.ts';
import { Revealed } from './revealed.tsx';

/** More of it at once would stall the page, so the rest is built when it is asked for. */
const SHOWN_CHARS = 10_000;

interface Props {
  text: string;
  label: string;
  /** Prose wraps between words and reads in its own direction. */
  prose?: boolean;
}

/** Text of a tool call, wrapped, in a box that is as high as its place allows until all of it is asked for. */
export function CallText({ text, label, prose = false }: Props) {
  const { isOpen } = useWholeView();
  const box = useRef<HTMLElement>(null);
  const shown = isOpen ? text : clip(text, { max: SHOWN_CHARS });
  const { isCut, isAtEnd, look } = useCutOff(box, { content: shown, mayScroll: prose });
  useLeftOut(shown !== text);
  return (
    <section
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="call-text"
      data-more={(isCut && !isAtEnd) || undefined}
      onScroll={look}
      data-prose={prose || undefined}
      dir={prose ? 'auto' : 'ltr'}
    >
      <Revealed text={shown} />
    </section>
  );
}
