import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../contract/agent-events.ts';
import type { Session } from './session.ts';
import { transition } from './transition.ts';

interface Step {
  name?: string;
  input?: unknown;
  output?: unknown;
  error?: unknown;
  ms?: number;
  actor?: string;
}

/** Calls one after the other, two seconds apart, the way an agent makes them. */
function run(steps: Step[], more: AgentEvent[] = []): Session {
  let session: Session | undefined;
  let at = 0;
  const tell = (event: AgentEvent) => {
    at += 1_000;
    session = transition(session, {
      seq: at,
      at,
      sessionId: 's',
      source: 'hook',
      name: 'x',
      payload: {},
      agent: [event],
    });
  };
  tell({ type: 'turn.started', actor: { id: 'main' }, prompt: 'Work', by: 'operator', facts: { cwd: '/w' } });
  steps.forEach(({ name = 'Bash', input = { command: 'ls' }, output = 'x', error, ms, actor = 'main' }, index) => {
    const call = { id: `c${index}`, name, input };
    const durationMs = ms ?? 100;
    tell({ type: 'tool.started', actor: { id: actor }, call });
    if (error === undefined) tell({ type: 'tool.ended', actor: { id: actor }, call, output, durationMs });
    else tell({ type: 'tool.failed', actor: { id: actor }, call, error, durationMs });
    tell({ type: 'tool.batch_ended', actor: { id: actor } });
  });
  for (const event of more) tell(event);
  return session!;
}

const edit = (file: string, more: Step = {}): Step => ({
  name: 'Edit',
  input: { file_path: file, old_string: String(Math.random()) },
  ...more,
});
const test1: Step = { input: { command: 'npm test' }, output: '1 failed' };
const labelOf = ({ state: { state, label } }: Session) => (state === 'looping' ? label : state);

describe('alarms', () => {
  test.each<[string, Step[], string]>([
    [
      'the same call with the same result three times',
      [test1, test1, test1],
      'Repeating the same Bash call with the same result',
    ],
    [
      'a cycle of two',
      [
        test1,
        { name: 'Read', input: { file_path: '/a' } },
        test1,
        { name: 'Read', input: { file_path: '/a' } },
        test1,
        { name: 'Read', input: { file_path: '/a' } },
      ],
      'Repeating the same 2 calls with the same results (Bash, Read)',
    ],
    [
      'the same failure',
      [1, 2, 3].map(() => ({ error: 'No such file' })),
      'Repeating the same Bash call with the same result',
    ],
    [
      'failed edits of one file, with other calls in between',
      [
        edit('/w/a.ts', { error: 'x' }),
        { name: 'Read', input: { file_path: '/w/a.ts' } },
        edit('/w/a.ts', { error: 'y' }),
        edit('/w/a.ts', { error: 'z' }),
      ],
      '3 failed edits of a.ts in a row',
    ],
    [
      'a subagent',
      [1, 2, 3].map(() => ({ ...test1, actor: 'sub' })),
      'Repeating the same Bash call with the same result',
    ],
  ])('%s', (_what, steps, expected) => {
    expect(labelOf(run(steps))).toBe(expected);
    expect(labelOf(run(steps.slice(0, -1)))).not.toBe(expected);
  });

  test('once, and only for as long as it continues', () => {
    const loop = [test1, test1, test1];
    const [third, fifth] = [run(loop), run([...loop, test1, test1])];
    expect(fifth.state).toEqual(third.state);
    expect(fifth.stateSince).toBe(third.stateSince);
    expect(run([...loop, { input: { command: 'git diff' } }]).alarm).toBeNull();
    const actor = { id: 'main' };
    expect(run(loop, [{ type: 'turn.started', actor, prompt: 'Stop that', by: 'operator' }]).alarm).toBeNull();
    expect(run(loop, [{ type: 'turn.ended', actor, outcome: { kind: 'completed' } }])).toMatchObject({
      alarm: null,
      state: { state: 'idle' },
    });
    expect(run(loop, [{ type: 'status.observed', actor, status: 'idle' }]).alarm).toBeNull();
  });
});

describe('stays quiet for', () => {
  test.each<[string, Step[]]>([
    ['the same call with another result', [1, 2, 3, 4].map((n) => ({ ...test1, output: `${n} failed` }))],
    ['tests between edits', [1, 2, 3, 4].flatMap(() => [edit('/w/a.ts'), test1])],
    [
      'polling with sleep',
      [1, 2, 3, 4, 5].map(() => ({ input: { command: 'sleep 5; gh run view 1' }, output: 'running' })),
    ],
    [
      'polling that takes its time',
      [1, 2, 3, 4, 5].map(() => ({ input: { command: 'make check' }, output: 'x', ms: 20_000 })),
    ],
    [
      'reading the output of a background command',
      [1, 2, 3, 4, 5].map(() => ({ name: 'BashOutput', input: { id: 1 }, output: '' })),
    ],
    [
      'a check between waits',
      [1, 2, 3, 4].flatMap(() => [{ input: { command: 'git status' } }, { input: { command: 'sleep 10' } }]),
    ],
    ['failed edits of several files', ['a', 'b', 'c', 'd'].map((name) => edit(`/w/${name}.ts`, { error: 'x' }))],
    [
      'edits that fail and succeed in turn',
      [1, 2, 3].flatMap(() => [edit('/w/a.ts', { error: 'x' }), edit('/w/a.ts')]),
    ],
    ['two actors that do the same', ['main', 'sub', 'main', 'sub'].map((actor) => ({ ...test1, actor }))],
  ])('%s', (_what, steps) => {
    expect(run(steps).alarm).toBeNull();
  });

  test('the same call several times at once', () => {
    let session: Session | undefined;
    const tell = (event: AgentEvent, at: number) => {
      session = transition(session, {
        seq: at,
        at,
        sessionId: 's',
        source: 'hook',
        name: 'x',
        payload: {},
        agent: [event],
      });
    };
    const calls = [1, 2, 3].map((n) => ({ id: `c${n}`, name: 'Read', input: { file_path: '/a' } }));
    calls.forEach((call, index) => {
      tell({ type: 'tool.started', actor: { id: 'main' }, call }, index + 1);
    });
    calls.forEach((call, index) => {
      tell({ type: 'tool.ended', actor: { id: 'main' }, call, output: 'x' }, index + 10);
    });
    expect(session?.alarm).toBeNull();
  });
});
