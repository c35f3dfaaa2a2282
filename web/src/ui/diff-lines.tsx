import { memo, useState } from 'react';
import type { FileDiff } from '../../../src/contract/messages.ts';
import { clip } from './format.ts';

type Line = FileDiff['hunks'][number]['lines'][number];

/** A page of one line is still a page: longer ones are cut. */
const MAX_LINE_CHARS = 2000;
/** What nobody has scrolled to yet is not built: a board may hold thirty edits of a thousand lines. */
const FIRST_LINES = 60;
const MORE_LINES = 1000;
const SIGN = { same: ' ', added: '+', removed: '−' } as const;
const SPOKEN = { same: '', added: 'Added: ', removed: 'Removed: ' } as const;

/** What an edit changes, with line numbers. A sign stands before each changed line: colour is not the only mark. */
export const DiffLines = memo(function DiffLines({ diff }: { diff: Pick<FileDiff, 'path' | 'hunks'> }) {
  const [limit, setLimit] = useState(FIRST_LINES);
  let left = limit;
  const hunks = diff.hunks.map(({ lines }) => {
    const shown = lines.slice(0, left);
    left -= shown.length;
    return shown;
  });
  const hidden = diff.hunks.reduce((sum, { lines }) => sum + lines.length, 0) - (limit - left);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section aria-label={`Changes in ${clip(diff.path, { max: 200 })}`} tabIndex={0} className="diff-lines">
      <div className="w-max min-w-full">
        {hunks.map((lines, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hunks of one diff, which never move
          <div key={index} className="diff-hunk">
            {lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of one diff, which never move
              <DiffRow key={at} line={line} />
            ))}
          </div>
        ))}
        {hidden > 0 && (
          <button type="button" className="diff-more" onClick={() => setLimit(limit + MORE_LINES)}>
            {hidden <= MORE_LINES ? `Show the other ${hidden} lines` : `Show ${MORE_LINES} of ${hidden} more lines`}
          </button>
        )}
      </div>
    </section>
  );
});

function DiffRow({ line }: { line: Line }) {
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
        {clip(line.text, { max: MAX_LINE_CHARS })}
      </span>
    </div>
  );
}
