import { Worker } from 'node:worker_threads';
import type { ReadText, TextPart } from '../index/read-text.ts';
import { lowerPriority } from './lower-priority.ts';
import type { TextStart } from './text-thread.ts';

/** Files the other thread has queued, so it doesn't wait for the next one. */
const MAX_JOBS = 16;
/** Nearly everything allocated there is garbage a moment later. */
const YOUNG_MB = 12;

/** For a lot of text: another thread reads and parses, so this one only has to write. */
export function readTextInThread(worker: string): ReadText {
  return async function* read(jobs) {
    lowerPriority('text');
    const shared = new SharedArrayBuffer(4);
    const taken = new Int32Array(shared);
    const workerData: TextStart = { role: 'text', shared };
    const thread = new Worker(worker, { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    const parts: TextPart[] = [];
    let failure: unknown;
    let wake: () => void = () => undefined;
    thread.on('message', (part: TextPart) => {
      parts.push(part);
      wake();
    });
    thread.on('error', (error) => {
      failure = error;
      wake();
    });
    const waiting = jobs[Symbol.iterator]();
    let known = 0;
    const sendJobs = () => {
      while (known < MAX_JOBS) {
        const next = waiting.next();
        if (next.done) return;
        thread.postMessage(next.value);
        known++;
      }
    };
    try {
      for (;;) {
        sendJobs();
        if (known === 0) return;
        while (parts.length === 0 && !failure)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        if (failure) throw failure;
        const part = parts.shift()!;
        Atomics.add(taken, 0, 1);
        Atomics.notify(taken, 0);
        if (part.isLast) known--;
        yield part;
      }
    } finally {
      await thread.terminate();
    }
  };
}
