import { type ReactNode, useState } from 'react';
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

/** Text of a tool call, whole and wrapped, in a box that scrolls when it is long. */
export function CallText({ text, label, prose = false }: Props) {
  const [all, setAll] = useState(false);
  const shown = all ? text : clip(text, { max: SHOWN_CHARS });
  return (
    <>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="call-text"
        data-prose={prose || undefined}
        dir={prose ? 'auto' : 'ltr'}
      >
        {reveal(shown)}
      </section>
      {shown !== text && (
        <button type="button" className="link self-start" onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString()} characters
        </button>
      )}
    </>
  );
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
