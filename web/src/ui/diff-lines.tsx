import { memo, useRef, useState } from 'react';
import type { FileDiff } from '../../../src/contract/messages.ts';
import { clip } from './format.ts';
import { useFullView, useLeftOut, useTruncation } from './full-view.ts';

type Line = FileDiff['hunks'][number]['lines'][number];

/** A whole page in one line is still a page, so long lines are truncated. */
const MAX_LINE_CHARS = 2000;
/** Lines nobody scrolled to aren't built: a board may hold thirty edits of a thousand lines. */
const FIRST_LINES = 60;
const MORE_LINES = 1000;
const SIGN = { same: ' ', added: '+', removed: '−' } as const;
const SPOKEN = { same: '', added: 'Added: ', removed: 'Removed: ' } as const;

interface Props {
  diff: Pick<FileDiff, 'path' | 'hunks'>;
  /** Wraps long lines where nothing may be out of view. */
  wrap?: boolean;
}

/** An edit with line numbers. Each changed line has a sign, so color isn't the only cue. */
export const DiffLines = memo(function DiffLines({ diff, wrap = false }: Props) {
  const { isOpen } = useFullView();
  const [asked, setAsked] = useState(FIRST_LINES);
  const limit = isOpen ? Number.POSITIVE_INFINITY : asked;
  const box = useRef<HTMLElement>(null);
  let shown = 0;
  let isClipped = false;
  const hunks = diff.hunks.map(({ lines }) => {
    const some = lines.slice(0, Math.max(0, limit - shown));
    shown += some.length;
    isClipped ||= some.some(({ text }) => text.length > MAX_LINE_CHARS);
    return some;
  });
  const hidden = diff.hunks.reduce((sum, { lines }) => sum + lines.length, 0) - shown;
  const { check } = useTruncation(box, { content: diff, mayScroll: true });
  useLeftOut(hidden > 0 || (isClipped && !isOpen));
  return (
    <section
      ref={box}
      aria-label={`Changes in ${clip(diff.path, { max: 200 })}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="diff-lines"
      data-wrap={wrap || undefined}
      onScroll={check}
    >
      <div className={wrap ? undefined : 'w-max min-w-full'}>
        {hunks.map((lines, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hunks of one diff, which never move
          <div key={index} className="diff-hunk">
            {lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of one diff, which never move
              <DiffRow key={at} line={line} max={isOpen ? Number.POSITIVE_INFINITY : MAX_LINE_CHARS} />
            ))}
          </div>
        ))}
        {hidden > 0 && (
          <button type="button" className="diff-more" onClick={() => setAsked(asked + MORE_LINES)}>
            {hidden <= MORE_LINES ? `Show ${hidden} more lines` : `Show ${MORE_LINES} of ${hidden} more lines`}
          </button>
        )}
      </div>
    </section>
  );
});

function DiffRow({ line, max }: { line: Line; max: number }) {
  return (
    <div className="diff-row" data-kind={line.kind}>
      <span aria-hidden className="diff-number">
        {line.oldLine ?? ''}
      </span>
      <span aria-hidden className="diff-number">
        {line.newLine ?? ''}
      </span>
      <span aria-hidden className="diff-sign">
        {SIGN[line.kind]}
      </span>
      <span className="sr-only">{SPOKEN[line.kind]}</span>
      <span className="diff-text" dir="ltr">
        {clip(line.text, { max })}
      </span>
    </div>
  );
}
