import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../../../contract/sessions.ts';
import type { PidFile } from '../../../processes/pid-files.ts';
import { type Actor, newActor, newSession, type Session, type ToolCall } from '../../../sessions/session.ts';
import { findContradiction } from './contradiction.ts';

const T = 1_000_000;
const file = (status: string, statusUpdatedAt: number, more: Partial<PidFile> = {}): PidFile => ({
  pid: 1,
  sessionId: 's',
  status,
  statusUpdatedAt,
  ...more,
});
const needsPermission: AgentState = { group: 'needs_you', state: 'needs_permission', label: '' };
const session = (group: 'needs_you' | 'autonomous', state: string, more: Partial<Session> = {}): Session => ({
  ...newSession('s', T),
  main: newActor('main', T, { group, state, label: '' }),
  stateSince: T,
  lastHeardAt: T,
  ...more,
});
const asking = (startedAt: number, { isSilent = false } = {}): ToolCall => ({
  id: `t${startedAt}`,
  name: 'Bash',
  inputHash: '',
  label: '',
  description: null,
  turnId: null,
  startedAt,
  limitMs: 0,
  ask: { state: needsPermission, isSilent },
});
const acting: AgentState = { group: 'autonomous', state: 'acting', label: '' };
const actor = (id: string, ...calls: ToolCall[]): Actor => ({
  ...newActor(id, T, acting),
  calls,
  state: calls[0]?.ask?.state ?? acting,
});
const atDialogs = (...calls: ToolCall[]) => session('needs_you', 'needs_permission', { main: actor('main', ...calls) });
const find = (before: Session, told: PidFile, now: number, waitedAt?: number) =>
  findContradiction(before, told, { now, waitedAt });

describe('findContradiction', () => {
  it('finds an Esc: idle, for a while, and newer than the last hook', () => {
    expect(find(session('autonomous', 'thinking'), file('idle', T + 100), T + 600)).toMatchObject({ status: 'idle' });
    expect(find(atDialogs(asking(T)), file('idle', T + 100), T + 600)).toMatchObject({ status: 'idle' });
  });

  it('finds an Esc at a dialog while subagents keep working', () => {
    const busy = { ...atDialogs(asking(T)), lastHeardAt: T + 5000 };
    expect(find(busy, file('idle', T + 100), T + 5000)).toMatchObject({ status: 'idle' });
  });

  it("doesn't mistake the moment between two subagents for an Esc", () => {
    expect(find(session('autonomous', 'delegating'), file('idle', T + 100), T + 200)).toEqual({ checkIn: 300 });
  });

  it('finds work that no hook reported, once it lasts', () => {
    const idle: AgentState = { group: 'needs_you', state: 'idle', label: '' };
    const resting = session('needs_you', 'idle', { main: { ...newActor('main', T, idle) } });
    expect(find(resting, file('busy', T + 100), T + 200)).toEqual({ checkIn: 1400 });
    expect(find(resting, file('busy', T + 100), T + 1600)).toMatchObject({ status: 'busy' });
    expect(find(resting, file('busy', T - 1), T + 9000)).toBeUndefined();
    expect(find(resting, file('shell', T + 100), T + 9000)).toBeUndefined();
  });

  it('ignores a status older than the last hook', () => {
    expect(find(session('autonomous', 'thinking'), file('idle', T - 1), T + 9000)).toBeUndefined();
  });

  it('finds a dialog that was answered at the keyboard', () => {
    const waiting = atDialogs(asking(T));
    expect(find(waiting, file('busy', T + 900), T + 1000, T + 50)).toEqual({ checkIn: 300 });
    expect(find(waiting, file('busy', T + 900), T + 1300, T + 50)).toEqual({ status: 'busy', by: T + 50 });
    expect(find(waiting, file('busy', T - 100), T + 9000, T - 200)).toBeUndefined();
    expect(find(waiting, file('waiting', T + 100), T + 9000, T + 100)).toBeUndefined();
  });

  it("doesn't attribute the end of one dialog to the next question", () => {
    const next = atDialogs(asking(T));
    expect(find(next, file('busy', T + 30), T + 1000, T - 500)).toEqual({ checkIn: 1030 });
    // its own dialog was never seen: it was answered too quickly, since the client is working again
    expect(find(next, file('busy', T + 30), T + 2030, T - 500)).toEqual({ status: 'busy', by: T + 30 });
    // the older dialog is over, and the newer question isn't on screen yet
    const both = atDialogs(asking(T - 900), asking(T));
    expect(find(both, file('busy', T + 30), T + 1000, T - 500)).toEqual({ status: 'busy', by: T - 500 });
  });

  it('ignores a held question, which has no dialog', () => {
    const subagents = [actor('a1', asking(T, { isSilent: true }))];
    const held = session('autonomous', 'acting', { subagents });
    expect(find(held, file('busy', T + 900), T + 9000, T + 50)).toBeUndefined();
  });

  it('ignores what a program asks on behalf of an idle session', () => {
    const apiAsks = [{ id: 'a', state: needsPermission }];
    const asked = session('needs_you', 'idle', { apiAsks, state: needsPermission });
    expect(find(asked, file('idle', T + 100), T + 2000)).toBeUndefined();
  });

  it('finds a dialog that no hook reported, once a hook would have', () => {
    expect(find(session('autonomous', 'acting'), file('waiting', T + 100), T + 600)).toEqual({ checkIn: 1000 });
    expect(find(session('autonomous', 'acting'), file('waiting', T + 100), T + 2000)).toEqual({ status: 'waiting' });
    const menu = file('waiting', T + 100, { waitingFor: 'dialog open' });
    expect(find(session('needs_you', 'idle'), menu, T + 2000)).toBeUndefined();
  });

  it('finds that such a dialog was answered', () => {
    const main = { ...actor('main'), base: needsPermission };
    const waiting = session('needs_you', 'needs_permission', { main });
    expect(find(waiting, file('busy', T + 900), T + 1300, T + 50)).toMatchObject({ status: 'busy' });
  });

  it('finds nothing where both agree, or the session has ended', () => {
    expect(find(session('needs_you', 'idle'), file('idle', T + 100), T + 600)).toBeUndefined();
    expect(find(session('autonomous', 'delegating'), file('shell', T + 100), T + 600)).toBeUndefined();
    const ended = session('autonomous', 'thinking', { endedAt: T });
    expect(find(ended, file('idle', T + 100), T + 600)).toBeUndefined();
  });

  it('follows the file of a session without hooks', () => {
    const unheard = session('autonomous', 'thinking', { lastHeardAt: null });
    expect(find(unheard, file('busy', T), T)).toBeUndefined();
    expect(find(unheard, file('idle', T), T)).toEqual({ status: 'idle' });
    const dialog = file('waiting', T, { waitingFor: 'permission prompt' });
    expect(find(unheard, dialog, T)).toEqual({ status: 'waiting' });
  });
});
