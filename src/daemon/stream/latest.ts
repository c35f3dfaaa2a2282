import type { Frame } from './frames.ts';

/**
 * What a client that cannot keep up still has to get: the newest change of each session, and no more. Its size is
 * bound by the number of sessions, however long the client sleeps.
 */
export class LatestOfEach {
  readonly #frames = new Map<string, Frame>();

  add(frames: Frame[]): void {
    for (const frame of frames) {
      const waiting = this.#frames.get(frame.key);
      this.#frames.delete(frame.key);
      // a session that came and went unseen needs no farewell
      if (waiting?.kind === 'session_discovered' && frame.kind === 'session_completed') continue;
      this.#frames.set(frame.key, frame);
    }
  }

  get size(): number {
    return this.#frames.size;
  }

  /** In order of their position, so that the last id sent is the newest. */
  take(): Frame[] {
    const frames = [...this.#frames.values()];
    this.#frames.clear();
    return frames;
  }
}
