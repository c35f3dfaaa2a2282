const BREATHE_MS = 100;

/** Small steps with pauses, so that hooks come first. */
export function repeatWhileDue(
  step: () => boolean,
  { restMs, onError }: { restMs: number; onError: (error: unknown) => void },
): { stop(): void } {
  let timer: NodeJS.Timeout;
  const run = () => {
    let isMore = false;
    try {
      isMore = step();
    } catch (error) {
      onError(error);
    }
    timer = setTimeout(run, isMore ? BREATHE_MS : restMs);
  };
  timer = setTimeout(run, restMs);
  return { stop: () => clearTimeout(timer) };
}
