/** Many who ask at once share one reading, and it begins after each of them has asked. */
export function sharedReading<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function start(): Promise<T> {
    current = read().finally(() => {
      current = undefined;
    });
    return current;
  }

  function follow(running: Promise<T>): Promise<T> {
    const again = () => {
      next = undefined;
      return start();
    };
    return running.then(again, again);
  }

  return () => {
    if (!current) return start();
    next ??= follow(current);
    return next;
  };
}
