/** Keys within a word follow each other faster than this. A shortcut is pressed on its own. */
const QUIET_MS = 400;

interface Waiting {
  timer: ReturnType<typeof setTimeout>;
  onTyping: () => void;
}

/** Tells a shortcut from a key that is part of a word: someone who types "Please" into a page without a field hasn't decided anything. */
export function createTyping() {
  let previousAt = Number.NEGATIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  let waiting: Waiting | null = null;

  function interrupt() {
    if (!waiting) return;
    const { timer, onTyping } = waiting;
    waiting = null;
    clearTimeout(timer);
    onTyping();
  }

  return {
    /** A character was typed anywhere. */
    note(at: number) {
      previousAt = lastAt;
      lastAt = at;
      interrupt();
    },
    /** A navigation key, such as Tab, ends a word: the next key is meant for where it led. */
    endWord() {
      lastAt = Number.NEGATIVE_INFINITY;
    },
    /** Whether the last character followed another one. */
    isInWord: () => lastAt - previousAt < QUIET_MS,
    /** Whether a character was typed just now. */
    isGoingOn: (now: number) => now - lastAt < QUIET_MS,
    /** Runs it unless another character follows immediately. */
    whenAlone(run: () => void, onTyping: () => void) {
      interrupt();
      const timer = setTimeout(() => {
        waiting = null;
        run();
      }, QUIET_MS);
      waiting = { timer, onTyping };
    },
  };
}
