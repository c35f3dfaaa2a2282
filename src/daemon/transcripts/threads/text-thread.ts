import type { MessagePort } from 'node:worker_threads';
import { readText, type TextJob, type TextPart } from '../index/read-text.ts';
import { lowerPriority } from './lower-priority.ts';

export interface TextStart {
  role: 'text';
  /** [0]: how many parts were taken. */
  shared: SharedArrayBuffer;
}

/** How many parts may wait to be taken: enough that nobody waits, few enough to fit in memory. */
const AHEAD = 16;

/** Reads and parses for the writing thread. */
export function runText(port: MessagePort, { shared }: TextStart): void {
  lowerPriority('text');
  const taken = new Int32Array(shared);
  let sent = 0;
  port.on('message', (job: TextJob) => {
    for (const part of readText(job)) {
      waitFor(sent - AHEAD);
      port.postMessage(part satisfies TextPart);
      sent++;
    }
  });

  function waitFor(count: number): void {
    for (let now = Atomics.load(taken, 0); now < count; now = Atomics.load(taken, 0)) Atomics.wait(taken, 0, now);
  }
}
