import type { EventActor } from '../../contract/agent-events.ts';
import type { Emit, LoopEvent } from '../events.ts';

/** One frame at 60 Hz. Models send more deltas than a reader can see. */
const FRAME_MS = 16;

/** Merges small deltas. Every other event flushes first, so text stays in order with calls. */
export function bufferText(emit: Emit, actor: EventActor, frameMs = FRAME_MS) {
  let kind: 'text.delta' | 'thinking.delta' = 'text.delta';
  let reply = '';
  let text = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (text === '') return;
    const event: LoopEvent = { type: kind, actor, text, reply };
    text = '';
    void emit(event);
  }

  return {
    delta(of: typeof kind, from: string, more: string): void {
      if (of !== kind || from !== reply) flush();
      kind = of;
      reply = from;
      text += more;
      timer ??= setTimeout(flush, frameMs);
    },
    flush,
    emit(event: LoopEvent): void | Promise<void> {
      flush();
      return emit(event);
    },
  };
}
