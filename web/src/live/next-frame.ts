/** After a frame that was costly to draw, the page rests this many times as long, so that it stays quick to the hand. */
const REST = 4;
const MAX_REST_MS = 300;
/** A hidden tab gets no frames, and that is when the count in its title matters most. */
const HIDDEN_MS = 200;

let restUntil = 0;

/** Runs the callback with the next frame; while drawing is costly, with a later one. */
export function nextFrame(callback: () => void): void {
  const rest = restUntil - performance.now();
  if (rest > 0) setTimeout(() => withFrame(callback), rest);
  else withFrame(callback);
}

function withFrame(callback: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    const from = performance.now();
    callback();
    // comes after the frame has been laid out and painted
    setTimeout(() => {
      const now = performance.now();
      restUntil = now + Math.min((now - from) * REST, MAX_REST_MS);
    });
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, HIDDEN_MS);
}
