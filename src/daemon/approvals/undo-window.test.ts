import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { DecisionRequest } from '../../contract/approvals.ts';
import { Core } from '../core.ts';
import { Approvals } from './approvals.ts';
import { UndoWindow } from './undo-window.ts';

const ALLOW: DecisionRequest = { decision: 'allow' };

function setUp({ windowMs = 60_000, path }: { windowMs?: number; path?: string } = {}) {
  const folder = path ?? mkdtempSync(join(tmpdir(), 'gc-undo-'));
  if (!path) onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const core = new Core({ path: join(folder, 'journal.db'), now: Date.now, log: pino({ level: 'silent' }) });
  onTestFinished(() => core.close());
  const approvals = new Approvals({ core, now: Date.now });
  const failures: unknown[] = [];
  const undo = new UndoWindow({
    approvals,
    carryOut: (id, request, by) => approvals.decide(id, request, by),
    windowMs: () => windowMs,
    now: Date.now,
    onError: (error) => failures.push(error),
  });
  let asked = 0;
  const ask = () =>
    approvals.ask({
      origin: 'hook',
      correlationId: `c${++asked}`,
      sessionId: 's1',
      kind: 'permission',
      toolName: 'Bash',
      toolInput: { command: 'ls' },
    });
  return { folder, core, approvals, undo, ask, failures };
}

it('holds a decision, announces it, and applies it when the window closes', async () => {
  const { approvals, undo, ask } = setUp({ windowMs: 20 });
  const { id } = await ask();
  expect(await undo.decide(id, ALLOW, 'Desk')).toMatchObject({
    status: 'pending',
    held: { decision: 'allow', by: 'Desk', until: expect.any(Number) },
  });
  await expect.poll(() => approvals.get(id)).toMatchObject({ status: 'decided', decision: { by: 'Desk' } });
  expect(approvals.get(id)).not.toHaveProperty('held');
});

it('undoes a held decision, after which another one counts', async () => {
  const { approvals, undo, ask } = setUp();
  const { id } = await ask();
  await undo.decide(id, ALLOW, 'Desk');
  expect(await undo.undo(id, 'Phone')).not.toHaveProperty('held');
  expect(approvals.list({ status: 'pending', limit: 10 })).toHaveLength(1);
  await expect(undo.undo(id, 'Phone')).rejects.toMatchObject({ code: 'approval.nothing_to_undo' });
  await undo.decide(id, { decision: 'deny' }, 'Phone');
  await undo.flush();
  expect(approvals.get(id)).toMatchObject({ status: 'decided', decision: { decision: 'deny', by: 'Phone' } });
  await expect(undo.undo(id, 'Desk')).rejects.toMatchObject({ code: 'approval.already_decided' });
});

it('accepts only one held decision, but lets the terminal or a stop override it', async () => {
  const { approvals, undo, ask, failures } = setUp();
  const [first, second] = [await ask(), await ask()];
  await undo.decide(first.id, ALLOW, 'Desk');
  await expect(undo.decide(first.id, { decision: 'deny' }, 'Phone')).rejects.toThrow('allow by Desk');
  await approvals.close(first.id, 'answered_in_terminal');
  await undo.decide(second.id, ALLOW, 'Desk');
  await approvals.decide(second.id, { decision: 'deny' }, 'Stop');
  await undo.flush();
  expect(approvals.get(first.id)).toMatchObject({ status: 'answered_in_terminal' });
  expect(approvals.get(second.id)).toMatchObject({ decision: { decision: 'deny', by: 'Stop' } });
  expect(failures).toEqual([]);
});

it('refuses an invalid decision while the operator is still looking', async () => {
  const { undo, ask } = setUp();
  const { id } = await ask();
  await expect(undo.decide(id, { ...ALLOW, interrupt: true }, 'Desk')).rejects.toMatchObject({
    code: 'approval.bad_decision',
  });
});

it('forgets held decisions when the daemon is killed, and shows them as pending', async () => {
  const { folder, core, undo, ask } = setUp();
  const { id } = await ask();
  await undo.decide(id, ALLOW, 'Desk');
  core.close();
  const { approvals } = setUp({ path: folder });
  await expect.poll(() => approvals.get(id).held).toBe(undefined);
  expect(approvals.get(id).status).toBe('pending');
});
