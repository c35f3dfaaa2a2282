import { describe, expect, it } from 'vitest';
import { translate } from '../drivers/to-agent-events.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { LiveModel } from './live-model.ts';

const patience = { settleMs: 2000, keepEndedMs: 60_000 };
let seq = 0;

function hook(model: LiveModel, sessionId: string, name: string, at: number): void {
  const payload = { session_id: sessionId, hook_event_name: name, prompt: 'Work' };
  const event: JournalEvent = { seq: ++seq, at, sessionId, source: 'hook', name, payload };
  model.apply(translate(event));
}
const leaving = (model: LiveModel, now: number) =>
  model
    .due(now, patience)
    .filter(({ name }) => name === 'session.left')
    .map(({ sessionId }) => sessionId);

describe('ended sessions', () => {
  it('leave after a while; sessions without a prompt leave soon', () => {
    const model = new LiveModel();
    for (const id of ['used', 'unused']) {
      hook(model, id, 'SessionStart', 0);
      if (id === 'used') hook(model, id, 'UserPromptSubmit', 0);
      hook(model, id, 'SessionEnd', 0);
    }
    expect(leaving(model, 9999)).toEqual([]);
    expect(leaving(model, 10_000)).toEqual(['unused']);
    expect(leaving(model, 60_000)).toEqual(['used', 'unused']);
  });

  it('leave early, oldest first, if there are too many of them', () => {
    const model = new LiveModel();
    for (let n = 0; n < 203; n++) {
      hook(model, `s${n}`, 'UserPromptSubmit', 0);
      hook(model, `s${n}`, 'SessionEnd', 1000 - n);
    }
    expect(leaving(model, 1000)).toEqual(['s202', 's201', 's200']);
  });
});
