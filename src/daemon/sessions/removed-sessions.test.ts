import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Approval } from '../../contract/approvals.ts';
import { Core } from '../core.ts';
import { requireSession } from './sessions.ts';

let folder: string;
let core: Core;
let read: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-left-'));
  open();
  onTestFinished(() => {
    core.close();
    rmSync(folder, { recursive: true, force: true });
  });
});

/** Counts how many session events are read. */
function open(): void {
  core = new Core({ path: join(folder, 'journal.db'), now: () => 1000, log: pino({ level: 'silent' }) });
  read = 0;
  const { journal } = core;
  const { eventsOf } = journal;
  journal.eventsOf = function* (...args) {
    for (const event of eventsOf.apply(journal, args)) {
      read++;
      yield event;
    }
  };
}

const reopen = () => {
  core.close();
  open();
};

const hook = (name: string, more: object = {}) =>
  core.record({ sessionId: 's', source: 'hook', name, payload: { session_id: 's', hook_event_name: name, ...more } });
const leave = () => core.record({ sessionId: 's', source: 'clock', name: 'session.left', payload: {} });

test('reads a session that left from its saved copy, not from its history, even after restarts', async () => {
  await hook('UserPromptSubmit', { prompt: 'Work' });
  for (let n = 0; n < 50; n++) await hook('Notification');
  await hook('SessionEnd', { reason: 'exit' });
  const before = core.live.view('s');
  await leave();
  expect({ ...requireSession(core, 's'), seq: before?.seq }).toEqual(before);
  reopen();
  expect({ ...requireSession(core, 's'), seq: before?.seq }).toEqual(before);
  expect(read).toBe(0);
});

test('rebuilds a session without a saved copy from the journal, once', async () => {
  await hook('UserPromptSubmit', { prompt: 'Work' });
  await hook('SessionEnd', { reason: 'exit' });
  await leave();
  reopen();
  core.journal.db.exec('DELETE FROM left_sessions');
  expect(requireSession(core, 's')).toMatchObject({ title: 'Work', endReason: 'exit' });
  expect(read).toBe(3);
  expect(requireSession(core, 's')).toMatchObject({ title: 'Work', endReason: 'exit' });
  expect(read).toBe(3);
});

test('adds events that arrived after it was saved', async () => {
  await hook('UserPromptSubmit', { prompt: 'Work' });
  await hook('SessionEnd', { reason: 'exit' });
  await leave();
  core.saveLeft();
  const { body } = core.journal.db.prepare('SELECT body FROM left_sessions').get() as { body: string };
  await hook('UserPromptSubmit', { prompt: 'More' });
  await hook('SessionEnd', { reason: 'logout' });
  await leave();
  reopen();
  // as if we were killed before the second time was saved
  core.journal.db.prepare('UPDATE left_sessions SET body = ?').run(body);
  expect(requireSession(core, 's')).toMatchObject({ lastUserMessage: 'More', endReason: 'logout' });
  expect(read).toBe(3);
});

test("a late decision doesn't bring it back", async () => {
  await hook('UserPromptSubmit', { prompt: 'Work' });
  await hook('SessionEnd', { reason: 'exit' });
  await leave();
  const approval: Approval = {
    id: 'a',
    origin: 'hook',
    correlationId: 'c',
    sessionId: 's',
    kind: 'permission',
    toolName: 'Bash',
    toolInput: {},
    status: 'decided',
    createdAt: 1,
  };
  await core.record({ sessionId: 's', source: 'control', name: 'approval.decided', payload: { approval } });
  expect(requireSession(core, 's')).toMatchObject({ title: 'Work', status: 'done' });
});
