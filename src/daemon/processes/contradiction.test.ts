import { describe, expect, it } from 'vitest';
import { newSession, type Session } from '../sessions/session.ts';
import { findContradiction } from './contradiction.ts';
import type { PidFile } from './pid-files.ts';

const T = 1_000_000;
const file = (status: string, statusUpdatedAt: number, more: Partial<PidFile> = {}): PidFile => ({
  pid: 1,
  sessionId: 's',
  status,
  statusUpdatedAt,
  ...more,
});
const session = (group: 'needs_you' | 'autonomous', state: string, more: Partial<Session> = {}): Session => ({
  ...newSession('s', T),
  state: { group, state, label: '' },
  stateSince: T,
  lastHookAt: T,
  ...more,
});

describe('findContradiction', () => {
  it('finds an Esc: idle, for a while, and newer than the last hook', () => {
    expect(findContradiction(session('autonomous', 'thinking'), file('idle', T + 100), T + 600)).toBe('idle');
    expect(findContradiction(session('needs_you', 'needs_permission'), file('idle', T + 100), T + 600)).toBe('idle');
  });

  it('does not take the moment between two subagents for an Esc', () => {
    expect(findContradiction(session('autonomous', 'delegating'), file('idle', T + 100), T + 200)).toBeUndefined();
  });

  it('does not believe a status that is older than the last hook', () => {
    expect(findContradiction(session('autonomous', 'thinking'), file('idle', T - 1), T + 9000)).toBeUndefined();
  });

  it('finds a dialog that was answered at the keyboard', () => {
    const waiting = session('needs_you', 'needs_permission', { lastHookAt: T + 500 });
    expect(findContradiction(waiting, file('busy', T + 100), T + 600)).toBe('busy');
    expect(findContradiction(waiting, file('busy', T - 100), T + 600)).toBeUndefined();
    expect(findContradiction(waiting, file('waiting', T + 100), T + 600)).toBeUndefined();
  });

  it('finds a dialog that no hook told of, once a hook would have', () => {
    expect(findContradiction(session('autonomous', 'acting'), file('waiting', T + 100), T + 600)).toBeUndefined();
    expect(findContradiction(session('autonomous', 'acting'), file('waiting', T + 100), T + 2000)).toBe('waiting');
    expect(
      findContradiction(
        session('needs_you', 'idle'),
        file('waiting', T + 100, { waitingFor: 'dialog open' }),
        T + 2000,
      ),
    ).toBeUndefined();
  });

  it('finds nothing where both agree, or the session has ended', () => {
    expect(findContradiction(session('needs_you', 'idle'), file('idle', T + 100), T + 600)).toBeUndefined();
    expect(findContradiction(session('autonomous', 'delegating'), file('shell', T + 100), T + 600)).toBeUndefined();
    expect(
      findContradiction(session('autonomous', 'thinking', { endedAt: T }), file('idle', T + 100), T + 600),
    ).toBeUndefined();
  });

  it('follows the file of a session that no hook has spoken for', () => {
    const unheard = session('autonomous', 'thinking', { lastHookAt: null });
    expect(findContradiction(unheard, file('busy', T), T)).toBeUndefined();
    expect(findContradiction(unheard, file('idle', T), T)).toBe('idle');
    expect(findContradiction(unheard, file('waiting', T, { waitingFor: 'permission prompt' }), T)).toBe('waiting');
  });
});
