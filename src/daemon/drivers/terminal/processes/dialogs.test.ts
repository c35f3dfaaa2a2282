import { expect, test } from 'vitest';
import { Dialogs } from './dialogs.ts';

const PID = 7;

function dialogs(...said: [status: string, at: number][]): Dialogs {
  const all = new Dialogs();
  for (const [status, statusUpdatedAt] of said) all.note({ pid: PID, sessionId: 's', status, statusUpdatedAt });
  return all;
}

test('closes a dialog only after the client reported it as open and then as closed', () => {
  const all = dialogs(['busy', 50], ['waiting', 100], ['waiting', 100], ['busy', 200], ['idle', 300]);
  expect(all.openAt(PID)).toBe(100);
  expect(all.closedAt(PID, { since: 90, at: 150 })).toBe(200);
  // it was there before the call began, or appeared after the decision
  expect(all.closedAt(PID, { since: 110, at: 150 })).toBeUndefined();
  expect(all.closedAt(PID, { since: 90, at: 99 })).toBeUndefined();
  expect(dialogs(['waiting', 100]).closedAt(PID, { since: 90, at: 150 })).toBeUndefined();
});

test('tracks the end of each of several consecutive dialogs', () => {
  const all = dialogs(['waiting', 100], ['busy', 200], ['waiting', 210], ['busy', 400], ['waiting', 410]);
  expect(all.closedAt(PID, { since: 90, at: 150 })).toBe(200);
  expect(all.closedAt(PID, { since: 90, at: 300 })).toBe(400);
  expect(all.closedAt(PID, { since: 90, at: 500 })).toBeUndefined();
  all.forgetAllBut(new Set());
  expect(all.closedAt(PID, { since: 90, at: 150 })).toBeUndefined();
});
