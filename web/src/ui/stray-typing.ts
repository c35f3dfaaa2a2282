/** So long after the last key in a field someone may still be writing, though it is gone. */
const PAUSE_MS = 2_000;
/** Between two keys of one sentence. */
const NEXT_KEY_MS = 700;

/**
 * What the operator writes in may be taken away under their hands: the session goes on, someone else was first. The words that
 * follow are no commands, and where the focus went by itself nothing is decided until they have gone somewhere.
 */
export function createStrayTyping() {
  let field: Pick<Node, 'isConnected'> | null = null;
  let until = 0;
  const isAdrift = () => field !== null && !field.isConnected;
  return {
    /** A key in a field. */
    write(into: Pick<Node, 'isConnected'>, at: number) {
      field = into;
      until = at + PAUSE_MS;
    },
    /** They went somewhere: by a click, a key that moves, or out of the field. */
    move() {
      field = null;
    },
    /** The field is gone, and they have not gone anywhere since. */
    isAdrift,
    /** Whether the key belongs to the words that were meant for the field. */
    isWord(at: number): boolean {
      if (!isAdrift() || at > until) return false;
      until = Math.max(until, at + NEXT_KEY_MS);
      return true;
    },
  };
}
