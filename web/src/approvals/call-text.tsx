import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { clip } from '../ui/format.ts';
import { revealHidden } from './hidden-characters.ts';

/** A megabyte would stall the page; whoever decides can ask for all of it. */
const SHOWN_CHARS = 10_000;

interface Props {
  text: string;
  label: string;
  /** Prose wraps between words and reads in its own direction. */
  prose?: boolean;
}

/**
 * Text of a tool call, whole and wrapped, in a box that scrolls when it is long. It is what one allows, so the box says when there is more
 * of it than one sees.
 */
export function CallText({ text, label, prose = false }: Props) {
  const [all, setAll] = useState(false);
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLElement>(null);
  const shown = all ? text : clip(text, { max: SHOWN_CHARS });
  const { overflows, atEnd, look } = useOverflow(box, shown);
  return (
    <>
      <section
        ref={box}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="call-text"
        data-open={open || undefined}
        data-more={(overflows && !atEnd) || undefined}
        onScroll={look}
        data-prose={prose || undefined}
        dir={prose ? 'auto' : 'ltr'}
      >
        {reveal(shown)}
      </section>
      {shown === text && (overflows || open) && (
        <button type="button" className="link self-start" onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Show all of it'}
        </button>
      )}
      {shown !== text && (
        <button type="button" className="link self-start" onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString()} characters
        </button>
      )}
    </>
  );
}

/** As short as fits the lowest box in the narrowest card. */
const NEVER_CUT = { chars: 120, lines: 4 };

/** Whether the box holds more than it shows. Most texts are short, and what is not measured costs a board of cards nothing. */
function useOverflow(box: RefObject<HTMLElement | null>, text: string) {
  const [state, setState] = useState({ overflows: false, atEnd: false });
  const isShort = text.length <= NEVER_CUT.chars && text.split('\n').length <= NEVER_CUT.lines;
  const look = useCallback(() => {
    const element = box.current;
    if (!element) return;
    const { scrollHeight, clientHeight, scrollTop } = element;
    const overflows = scrollHeight > clientHeight + 1;
    const atEnd = scrollTop + clientHeight >= scrollHeight - 2;
    setState((before) => (before.overflows === overflows && before.atEnd === atEnd ? before : { overflows, atEnd }));
  }, [box]);
  useEffect(() => {
    if (isShort || !box.current) return;
    const sizes = new ResizeObserver(look);
    sizes.observe(box.current);
    return () => sizes.disconnect();
  }, [box, isShort, look]);
  return { ...state, look };
}

function reveal(text: string): ReactNode {
  return revealHidden(text).map(({ text: part, hidden }, index) =>
    hidden ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order
      <mark key={index} className="hidden-character" title="A character that is not drawn, or reorders the others">
        {part}
      </mark>
    ) : (
      part
    ),
  );
}
