import { memo, useEffect, useState } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { clipLine } from '../ui/format.ts';
import type { Piece } from './highlight-pieces.ts';

/** Beyond this, highlighting costs more time than it's worth. */
const MAX_HIGHLIGHTED = 30_000;

interface Props {
  code: string;
  language: string;
  /** Accessible name. */
  label?: string;
}

export const CodeBlock = memo(function CodeBlock({ code, language, label = 'Code' }: Props) {
  const pieces = useHighlighted(code, language);
  const name = clipLine(language, 30);
  return (
    <div className="code-block">
      <div className="code-block-bar">
        <span className="text-ink-3">{name}</span>
        <CopyButton text={code} what="code" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section aria-label={name ? `${label}, ${name}` : label} tabIndex={0} className="code-block-scroll">
        <pre dir="ltr">
          <code>{pieces ? pieces.map(draw) : code}</code>
        </pre>
      </section>
    </div>
  );
});

function draw(piece: Piece, index: number) {
  if (piece.className === '') return piece.text;
  return (
    <span key={index} className={piece.className}>
      {piece.text}
    </span>
  );
}

/** Plain at first; highlighted when idle. */
function useHighlighted(code: string, language: string): readonly Piece[] | null {
  const [pieces, setPieces] = useState<{ code: string; pieces: readonly Piece[] } | null>(null);
  useEffect(() => {
    if (language === '' || code.length > MAX_HIGHLIGHTED) return;
    let gone = false;
    const cancel = whenIdle(async () => {
      const { highlight } = await import('./highlight.ts');
      if (gone) return;
      const found = highlight(code, language);
      if (found) setPieces({ code, pieces: found });
    });
    return () => {
      gone = true;
      cancel();
    };
  }, [code, language]);
  return pieces?.code === code ? pieces.pieces : null;
}

function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 100);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 2_000 });
  return () => cancelIdleCallback(handle);
}
