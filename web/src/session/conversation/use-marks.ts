import { type RefObject, useEffect } from 'react';

const NAME = 'found';
/** A single letter has more matches on a page than anyone looks at. */
const MAX_MARKS = 500;

/** Highlights a text everywhere in the list, including rows built later. Browsers without highlight support show none. */
export function useMarks(list: RefObject<HTMLElement | null>, sought: string): void {
  useEffect(() => {
    const box = list.current;
    if (!box || sought === '' || !('highlights' in CSS)) return;
    let frame = 0;
    const mark = () => {
      frame = 0;
      CSS.highlights.set(NAME, new Highlight(...rangesOf(box, sought.toLowerCase())));
    };
    const observer = new MutationObserver(() => {
      frame ||= requestAnimationFrame(mark);
    });
    observer.observe(box, { childList: true, subtree: true, characterData: true });
    mark();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [list, sought]);
}

function rangesOf(box: HTMLElement, sought: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < MAX_MARKS; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? '';
    // Letters that become two in lower case would shift every position after them.
    if (text.length !== node.nodeValue?.length) continue;
    for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + sought.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + sought.length);
      ranges.push(range);
    }
  }
  return ranges;
}
