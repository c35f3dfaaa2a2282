import type { Frame } from './frames.ts';

const FIRST = new Set(['session_discovered', 'approval_request']);
const LAST = new Set(['session_removed', 'approval_decided']);

/**
 * What a client that can't keep up still needs: the newest change of each session and approval. Bounded by how many of them exist at a
 * time, however long the client sleeps.
 */
export class LatestOfEach {
  readonly #frames = new Map<string, Frame>();
  /** What appeared while the client slept: it doesn't know about it. */
  readonly #unseen = new Set<string>();

  add(frames: Frame[]): void {
    for (const frame of frames) {
      const { key, kind } = frame;
      const isWaiting = this.#frames.delete(key);
      if (!isWaiting && FIRST.has(kind)) this.#unseen.add(key);
      // what came and went unseen needs no removal message
      if (LAST.has(kind) && this.#unseen.delete(key)) continue;
      this.#frames.set(key, frame);
    }
  }

  get size(): number {
    return this.#frames.size;
  }

  /** Ordered by position, so the last id sent is the newest. */
  take(): Frame[] {
    const frames = [...this.#frames.values()];
    this.#frames.clear();
    this.#unseen.clear();
    return frames;
  }
}
