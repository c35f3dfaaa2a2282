import {
  createContext,
  type RefObject,
  useCallback,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

interface FullView {
  /** Everything is shown at its full length. */
  isOpen: boolean;
  open: () => void;
  close: () => void;
  /** A part of the request reports whether some of it is out of view. */
  note: (part: string, isHidden: boolean) => void;
}

const ALONE: FullView = { isOpen: false, open: () => undefined, close: () => undefined, note: () => undefined };
const FullViewContext = createContext<FullView>(ALONE);
export const FullViewProvider = FullViewContext.Provider;
export const useFullView = () => useContext(FullViewContext);

interface Options {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

/**
 * Whether the whole request has been in view. Nobody can judge a command whose end is cut off, so it can't be allowed while any part is
 * hidden, or before the panel has been on screen from start to end.
 */
export function useFullViewOf(panel: RefObject<HTMLElement | null>, { isOpen, setOpen }: Options) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const isSeen = useSeenToTheEnd(panel, isOpen);
  const note = useCallback((part: string, isHidden: boolean) => {
    setHidden((before) => {
      if (before.has(part) === isHidden) return before;
      const after = new Set(before);
      if (isHidden) after.add(part);
      else after.delete(part);
      return after;
    });
  }, []);
  const view: FullView = { isOpen, open: () => setOpen(true), close: () => setOpen(false), note };
  return { view, hasHidden: hidden.size > 0, isSeen };
}

/** The two marks are empty elements at the start and end of the panel, so a sticky bar over its end hides the mark too. */
function useSeenToTheEnd(panel: RefObject<HTMLElement | null>, isOpen: boolean): boolean {
  const [isSeen, setSeen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: at its full length it has another end
  useLayoutEffect(() => {
    const marks = panel.current?.querySelectorAll(':scope > [data-mark]') ?? [];
    const left = new Set(marks);
    setSeen(false);
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) left.delete(target);
      if (left.size > 0) return;
      observer.disconnect();
      setSeen(true);
    });
    for (const mark of marks) observer.observe(mark);
    return () => observer.disconnect();
  }, [panel, isOpen]);
  return isSeen;
}

interface PartOptions {
  /** Changes when there is new content to measure. */
  content: unknown;
  /** A command must be fully visible; a long diff or plan may be scrolled through instead. */
  mayScroll: boolean;
}

/** Measures one box of a panel. Returns whether its content is cut off, and what to call after scrolling. */
export function useTruncation(box: RefObject<HTMLElement | null>, { content, mayScroll }: PartOptions) {
  const part = useId();
  const { note } = useFullView();
  const [state, setState] = useState({ isTruncated: false, isAtEnd: false });
  const hasReachedEnd = useRef(false);
  const check = useCallback(() => {
    const element = box.current;
    if (!element) return;
    const isTruncated =
      element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 2;
    if (isAtEnd) hasReachedEnd.current = true;
    note(part, isTruncated && !(mayScroll && hasReachedEnd.current));
    setState((before) =>
      before.isTruncated === isTruncated && before.isAtEnd === isAtEnd ? before : { isTruncated, isAtEnd },
    );
  }, [box, part, note, mayScroll]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: measure again when the content changes
  useLayoutEffect(() => {
    hasReachedEnd.current = false;
    const element = box.current;
    if (!element) return;
    check();
    const sizes = new ResizeObserver(check);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [box, content, check]);
  // Only on unmount: reported before each measurement, it would rerender the panel forever.
  useLayoutEffect(() => () => note(part, false), [note, part]);
  return { ...state, check };
}

/** For content that is left out rather than cut off, such as the rest of a very long list. */
export function useLeftOut(isLeftOut: boolean): void {
  const part = useId();
  const { note } = useFullView();
  useLayoutEffect(() => {
    note(part, isLeftOut);
    return () => note(part, false);
  }, [note, part, isLeftOut]);
}
