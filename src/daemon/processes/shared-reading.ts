/** Concurrent callers share one reading, which starts after each of them asked. */
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
