/** Keys of one word follow each other faster than this. A key that means something by itself stands by itself. */
const QUIET_MS = 400;

interface Waiting {
  timer: ReturnType<typeof setTimeout>;
  onTyping: () => void;
}

/**
 * Tells a key that is pressed for what it does from one that is part of a word: someone who types "Please" into a page without a
 * field has not decided anything.
 */
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
    /** A character was typed, wherever. */
    note(at: number) {
      previousAt = lastAt;
      lastAt = at;
      interrupt();
    },
    /** A key that moves, such as Tab, ends a word: what comes next is meant for where it led. */
    endWord() {
      lastAt = Number.NEGATIVE_INFINITY;
    },
    /** Whether the character noted last follows another one. */
    isInWord: () => lastAt - previousAt < QUIET_MS,
    /** Whether a character was typed just before now. */
    isGoingOn: (now: number) => now - lastAt < QUIET_MS,
    /** Runs it unless another character follows at once. */
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
