import { expect, test } from 'vitest';
import { type Asked, Dialogs } from './dialogs.ts';

const PID = 7;

function dialogs(...said: [status: string, at: number][]): Dialogs {
  const all = new Dialogs();
  for (const [status, statusUpdatedAt] of said) all.note({ pid: PID, sessionId: 's', status, statusUpdatedAt });
  return all;
}

const closedAt = (all: Dialogs, asked: Asked) => all.find(PID, asked)?.closedAt;

test('closes a dialog only after the client reported it as open and then as closed', () => {
  const all = dialogs(['busy', 50], ['waiting', 100], ['waiting', 100], ['busy', 200], ['idle', 300]);
  expect(all.openAt(PID)).toBe(100);
  expect(closedAt(all, { since: 90, at: 150 })).toBe(200);
  // it was there before the call began, or appeared after the decision
  expect(closedAt(all, { since: 110, at: 150 })).toBeUndefined();
  expect(closedAt(all, { since: 90, at: 99 })).toBeUndefined();
  expect(closedAt(dialogs(['waiting', 100]), { since: 90, at: 150 })).toBeUndefined();
});

test('tracks the end of each of several consecutive dialogs', () => {
  const all = dialogs(['waiting', 100], ['busy', 200], ['waiting', 210], ['busy', 400], ['waiting', 410]);
  expect(closedAt(all, { since: 90, at: 150 })).toBe(200);
  expect(closedAt(all, { since: 90, at: 300 })).toBe(400);
  expect(closedAt(all, { since: 90, at: 500 })).toBeUndefined();
  all.forgetAllBut(new Set());
  expect(closedAt(all, { since: 90, at: 150 })).toBeUndefined();
});

test('counts a dialog as open until it is closed or another one is open', () => {
  const isOpen = (all: Dialogs) => all.find(PID, { since: 90, at: 150 })?.isOpen;
  expect(isOpen(dialogs(['busy', 50]))).toBeUndefined();
  expect(isOpen(dialogs(['waiting', 100]))).toBe(true);
  expect(isOpen(dialogs(['waiting', 100], ['busy', 200]))).toBe(false);
  // the status in between was too short to be seen
  expect(isOpen(dialogs(['waiting', 100], ['waiting', 210]))).toBe(false);
});
