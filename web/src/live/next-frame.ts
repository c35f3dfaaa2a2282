/**
 * Runs the callback with the next frame. A hidden tab gets no frames, and that is when the count in its title matters
 * most, so a timer stands behind the frame.
 */
export function nextFrame(callback: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    callback();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, 200);
}
