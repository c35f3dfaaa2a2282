import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** More than one agent that works without a pause. */
const BURST_PER_SECOND = 3000;
const LOOK_MS = 1000;

/**
 * A daemon runs for weeks beside the agents. By default its heap grows by tens of megabytes of garbage before V8 collects it, and a third of a
 * burst's time is spent collecting it earlier. So the heap is kept small, except in a burst.
 */
export function keepHeapSmall(isSmall = true): void {
  setFlagsFromString(isSmall ? '--optimize-for-size' : '--no-optimize-for-size');
}

/** Without new garbage, V8 wouldn't collect what a burst left behind. */
function shrink(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect === 'function') collect();
}

function setSize(isSmall: boolean): void {
  keepHeapSmall(isSmall);
  if (isSmall) shrink();
}

/** `count`: how many events were recorded so far. */
export function watchBursts(count: () => number, keepSmall: (isSmall: boolean) => void = setSize) {
  let before = count();
  let isSmall = true;
  const look = () => {
    const now = count();
    const isQuiet = now - before < BURST_PER_SECOND;
    before = now;
    if (isQuiet === isSmall) return;
    isSmall = isQuiet;
    keepSmall(isSmall);
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}
