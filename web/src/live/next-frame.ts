/** After an expensive frame, the page pauses for this many times as long, to stay responsive. */
const REST = 4;
const MAX_REST_MS = 300;
/** A hidden tab gets no frames, and that's when the count in its title matters most. */
const HIDDEN_MS = 200;

let restUntil = 0;

/** Runs the callback in the next frame, or a later one while frames are expensive. */
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
    // Runs after the frame is laid out and painted.
    setTimeout(() => {
      const now = performance.now();
      restUntil = now + Math.min((now - from) * REST, MAX_REST_MS);
    });
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, HIDDEN_MS);
}
