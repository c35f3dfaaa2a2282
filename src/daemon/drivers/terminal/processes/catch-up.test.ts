import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AgentState } from '../../../../contract/sessions.ts';
import type { PidFile } from '../../../processes/pid-files.ts';
import { newSession, type Session, type ToolCall } from '../../../sessions/session.ts';
import { missed } from './catch-up.ts';
import { readTranscriptEnd } from './transcript-end.ts';

const folder = mkdtempSync(join(tmpdir(), 'gc-catch-up-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const T = 1_000_000;
const acting: AgentState = { group: 'autonomous', state: 'acting', label: '' };
const idle: AgentState = { group: 'needs_you', state: 'idle', label: '' };
const asks: AgentState = { group: 'needs_you', state: 'needs_permission', label: '' };

function session(state: AgentState, calls: ToolCall[] = []): Session {
  const fresh = newSession('s', T);
  return { ...fresh, lastHeardAt: T, state, main: { ...fresh.main, base: state, calls, state } };
}
const asking = (id: string): ToolCall => ({
  id,
  name: 'Bash',
  inputHash: '',
  label: '',
  description: null,
  turnId: null,
  startedAt: T,
  limitMs: 0,
  ask: { state: asks, isSilent: false },
});
const file = (status: string, at = T + 5000): PidFile => ({ pid: 1, sessionId: 's', status, statusUpdatedAt: at });
const nothing = { turn: 'unknown', endedCalls: new Set<string>() } as const;
const names = (...parameters: Parameters<typeof missed>) =>
  missed(...parameters).map(({ name, payload }) => `${name} ${'ids' in payload ? payload.ids : payload.status}`);

describe('what a session did while we were down', () => {
  it('comes from its file: idle, waiting or working', () => {
    expect(missed(session(acting), file('idle'), { ...nothing, turn: 'ended' })).toEqual([
      { name: 'status.corrected', payload: { status: 'idle', turn: 'ended' } },
    ]);
    expect(names(session(idle), file('waiting'), nothing)).toEqual(['status.corrected waiting']);
    expect(names(session(idle), file('busy'), nothing)).toEqual(['status.corrected busy']);
  });

  it('is nothing if the file matches our state or is older than the last hook', () => {
    expect(names(session(idle), file('idle'), nothing)).toEqual([]);
    expect(names(session(acting), file('busy'), nothing)).toEqual([]);
    expect(names(session(asks, [asking('t1')]), file('waiting'), nothing)).toEqual([]);
    expect(names(session(acting), file('idle', T - 1), nothing)).toEqual([]);
  });

  it('comes from the transcript for a question: it was answered, and the open dialog is another', () => {
    const answered = { ...nothing, endedCalls: new Set(['t1']) };
    expect(names(session(asks, [asking('t1')]), file('waiting'), answered)).toEqual([
      'calls.ended t1',
      'status.corrected waiting',
    ]);
  });
});

describe('the end of a transcript', () => {
  const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content } });
  const assistant = (content: unknown, stop_reason: string | null = null) => ({
    type: 'assistant',
    message: { role: 'assistant', content, stop_reason },
  });
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: {} };
  const text = { type: 'text', text: 'Done.' };
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'ok' };

  it.each([
    ['a turn that ended', [user('Go'), assistant([text], 'end_turn')], 'ended'],
    [
      'one with what the client adds',
      [user('Go'), assistant([text]), { type: 'system', subtype: 'turn_duration' }],
      'ended',
    ],
    ['Esc', [assistant([call]), user([{ type: 'text', text: '[Request interrupted by user]' }])], 'interrupted'],
    ['a tool that runs', [user('Go'), assistant([call])], 'unknown'],
    ['a turn that continues', [assistant([call]), user([result])], 'unknown'],
    ['nothing', [], 'unknown'],
  ])('shows %s', async (_, lines, turn) => {
    const path = join(folder, 'session.jsonl');
    writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"type":"ass`);
    expect((await readTranscriptEnd(path)).turn).toBe(turn);
  });

  it('shows which calls have an outcome, and nothing without a file', async () => {
    const path = join(folder, 'long.jsonl');
    writeFileSync(path, `${JSON.stringify(user('x'.repeat(400_000)))}\n${JSON.stringify(user([result]))}\n`);
    expect([...(await readTranscriptEnd(path)).endedCalls]).toEqual(['t1']);
    expect((await readTranscriptEnd(join(folder, 'none.jsonl'))).turn).toBe('unknown');
    expect((await readTranscriptEnd(null)).turn).toBe('unknown');
  });
});
