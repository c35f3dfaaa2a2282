/** For this long after the last key in a field, someone may still be typing even though it is gone. */
const PAUSE_MS = 2_000;
/** Between two keys of one sentence. */
const NEXT_KEY_MS = 700;

/**
 * The field the operator is typing in may disappear: the session moves on, or someone else answers first. The keys that follow aren't
 * shortcuts, and nothing is decided at the new focus until the operator navigates.
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
    /** The operator navigated: by a click, a navigation key, or out of the field. */
    move() {
      field = null;
    },
    /** The field is gone and the operator hasn't navigated since. */
    isAdrift,
    /** Whether the key was meant for the field. */
    isWord(at: number): boolean {
      if (!isAdrift() || at > until) return false;
      until = Math.max(until, at + NEXT_KEY_MS);
      return true;
    },
  };
}
