import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnOf } from '../../../contract/groups.ts';
import type { JournalEvent } from '../../journal/journal.ts';
import { toLiveSession } from '../../sessions/live-session.ts';
import type { Session } from '../../sessions/session.ts';
import { transition } from './transition-for-test.ts';

type Hook = { hook_event_name: string } & Record<string, unknown>;
type Row = [string, Hook, string, string, string];

let seq = 0;
const T0 = 1_000_000;

function event(payload: Record<string, unknown>, at: number, source: JournalEvent['source'] = 'hook'): JournalEvent {
  return { seq: ++seq, at, sessionId: 's', source, name: String(payload.hook_event_name ?? payload.name), payload };
}

function fold(hooks: Hook[], from?: Session): Session {
  let session = from;
  hooks.forEach((hook, index) => {
    session = transition(session, event({ session_id: 's', cwd: '/w/app', ...hook }, T0 + index * 10));
  });
  return session!;
}

const states = (hooks: Hook[]) =>
  hooks.map((_, index) => {
    const { group, state, label } = fold(hooks.slice(0, index + 1)).state;
    return `${group} ${state} ${label}`;
  });

const watch = (session: Session, name: string, payload: Record<string, unknown> = {}, at = T0 + 60_000) =>
  transition(session, { ...event({ ...payload, name }, at, 'watch'), payload });

const prompt: Hook = { hook_event_name: 'UserPromptSubmit', prompt: 'Add auth' };
const pre = (tool_name: string, tool_input: object = {}, more: object = {}): Hook => ({
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  tool_use_id: `id-${tool_name}-${JSON.stringify(tool_input)}`,
  ...more,
});
const post = (tool_name: string, tool_input: object = {}, more: object = {}): Hook => ({
  ...pre(tool_name, tool_input, more),
  hook_event_name: 'PostToolUse',
});
const ask = (tool_name: string, tool_input: object = {}, more: object = {}): Hook => {
  const { tool_use_id: _, ...rest } = pre(tool_name, tool_input, more);
  return { ...rest, hook_event_name: 'PermissionRequest' };
};
const bash = { command: 'git status' };

describe('every event puts its actor in the state of the table', () => {
  const rows: Row[] = [
    [
      'startup',
      { hook_event_name: 'SessionStart', source: 'startup' },
      'needs_you',
      'idle',
      'Waiting for first prompt',
    ],
    ['resume', { hook_event_name: 'SessionStart', source: 'resume' }, 'needs_you', 'idle', 'Waiting for first prompt'],
    ['clear', { hook_event_name: 'SessionStart', source: 'clear' }, 'needs_you', 'idle', 'Waiting for first prompt'],
    [
      'compact',
      { hook_event_name: 'SessionStart', source: 'compact' },
      'autonomous',
      'thinking',
      'Compacting context...',
    ],
    ['prompt', prompt, 'autonomous', 'thinking', 'Processing prompt...'],
    ['question', pre('AskUserQuestion'), 'needs_you', 'awaiting_input', 'Asked you a question'],
    ['plan', pre('ExitPlanMode'), 'needs_you', 'awaiting_approval', 'Plan ready for review'],
    ['plan mode', pre('EnterPlanMode'), 'autonomous', 'thinking', 'Entering plan mode...'],
    ['Bash', pre('Bash', bash), 'autonomous', 'acting', 'Running: git status'],
    ['Read', pre('Read', { file_path: '/w/app/src/lib.rs' }), 'autonomous', 'acting', 'Reading lib.rs'],
    [
      'a long path',
      pre('Read', { file_path: `/${'deep/'.repeat(30)}lib.rs` }),
      'autonomous',
      'acting',
      'Reading lib.rs',
    ],
    ['Edit', pre('Edit', { file_path: '/w/app/src/lib.rs' }), 'autonomous', 'acting', 'Editing lib.rs'],
    ['Write', pre('Write', { file_path: '/w/app/src/lib.rs' }), 'autonomous', 'acting', 'Editing lib.rs'],
    ['Grep', pre('Grep', { pattern: 'fn main' }), 'autonomous', 'acting', 'Searching: fn main'],
    ['Glob', pre('Glob', { pattern: '**' }), 'autonomous', 'acting', 'Finding files'],
    ['Task', pre('Task', { description: 'look around' }), 'autonomous', 'acting', 'Agent: look around'],
    ['Agent', pre('Agent', { description: 'look around' }), 'autonomous', 'acting', 'Agent: look around'],
    ['WebFetch', pre('WebFetch', { url: 'http://x' }), 'autonomous', 'acting', 'Fetching web page'],
    ['WebSearch', pre('WebSearch', { query: 'rust' }), 'autonomous', 'acting', 'Searching: rust'],
    ['MCP', pre('mcp__github__list_issues'), 'autonomous', 'acting', 'MCP: github__list_issues'],
    ['other tool', pre('Skill'), 'autonomous', 'acting', 'Using Skill'],
    ['after a tool', post('Bash'), 'autonomous', 'thinking', 'Thinking...'],
    ['after a batch', { hook_event_name: 'PostToolBatch', tool_calls: [] }, 'autonomous', 'thinking', 'Thinking...'],
    [
      'interrupt',
      { hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', is_interrupt: true },
      'needs_you',
      'interrupted',
      'You interrupted Bash',
    ],
    [
      'failure',
      { hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', error: 'Exit code 1' },
      'autonomous',
      'thinking',
      'Failed: Bash',
    ],
    ['permission', ask('Bash', bash), 'needs_you', 'needs_permission', 'Needs permission: Bash'],
    [
      'denied',
      { hook_event_name: 'PermissionDenied', tool_name: 'Bash', reason: 'rule' },
      'autonomous',
      'thinking',
      'Denied: Bash',
    ],
    ['stop', { hook_event_name: 'Stop', background_tasks: [] }, 'needs_you', 'idle', 'Waiting for your next prompt'],
    [
      'stop failure',
      { hook_event_name: 'StopFailure', error: 'rate_limit' },
      'needs_you',
      'error',
      'Failed: rate_limit',
    ],
    [
      'notified permission',
      { hook_event_name: 'Notification', notification_type: 'permission_prompt' },
      'needs_you',
      'needs_permission',
      'Needs permission',
    ],
    [
      'notified idle',
      { hook_event_name: 'Notification', notification_type: 'idle_prompt' },
      'needs_you',
      'idle',
      'Session idle',
    ],
    [
      'notified dialog',
      { hook_event_name: 'Notification', notification_type: 'elicitation_dialog', message: 'Your name?' },
      'needs_you',
      'awaiting_input',
      'Your name?',
    ],
    [
      'elicitation',
      { hook_event_name: 'Elicitation', message: 'Your name?', mcp_server_name: 'm' },
      'needs_you',
      'awaiting_input',
      'Your name?',
    ],
    [
      'elicitation result',
      { hook_event_name: 'ElicitationResult', action: 'accept' },
      'autonomous',
      'thinking',
      'Thinking...',
    ],
    [
      'subagent',
      { hook_event_name: 'SubagentStart', agent_id: 'a', agent_type: 'Explore' },
      'autonomous',
      'delegating',
      'Running Explore agent',
    ],
    [
      'teammate',
      { hook_event_name: 'TeammateIdle', teammate_name: 'Ada' },
      'autonomous',
      'delegating',
      'Teammate Ada idle',
    ],
    [
      'task',
      { hook_event_name: 'TaskCompleted', task_id: '1', task_subject: 'Add auth' },
      'delivered',
      'task_complete',
      'Add auth',
    ],
    [
      'compact by hand',
      { hook_event_name: 'PreCompact', trigger: 'manual' },
      'autonomous',
      'thinking',
      'Compacting context...',
    ],
    [
      'automatic compaction',
      { hook_event_name: 'PreCompact', trigger: 'auto' },
      'autonomous',
      'thinking',
      'Auto-compacting context...',
    ],
    [
      'automatic compaction ended',
      { hook_event_name: 'PostCompact', trigger: 'auto' },
      'autonomous',
      'thinking',
      'Context compacted',
    ],
    [
      'compacted by hand',
      { hook_event_name: 'PostCompact', trigger: 'manual' },
      'needs_you',
      'idle',
      'Context compacted',
    ],
    ['end', { hook_event_name: 'SessionEnd', reason: 'logout' }, 'delivered', 'session_ended', 'Session closed'],
  ];
  it.each(rows)('%s', (_name, hook, group, state, label) => {
    expect(fold([hook]).state).toMatchObject({ group, state, label });
  });

  it.each([
    'TaskCreated',
    'PreModelSwitch',
    'PostModelSwitch',
    'ConfigChange',
    'CwdChanged',
    'FileChanged',
    'DirectoryAdded',
    'InstructionsLoaded',
    'UserPromptExpansion',
    'WorktreeRemove',
    'Setup',
    'BrandNewEvent',
  ])('%s does not change the state', (hook_event_name) => {
    expect(fold([prompt, { hook_event_name }]).state.label).toBe('Processing prompt...');
  });
});

describe('actors', () => {
  const agent = { agent_id: 'a1', agent_type: 'general-purpose' };
  const background = [{ id: 'a1', type: 'subagent', status: 'running', agent_type: 'general-purpose' }];

  it('shows a subagent that waits for a permission after its parent stopped', () => {
    const seen = states([
      prompt,
      pre('Agent', { description: 'helper', subagent_type: 'general-purpose' }),
      { hook_event_name: 'SubagentStart', ...agent },
      post('Agent', { description: 'helper', subagent_type: 'general-purpose' }),
      { hook_event_name: 'PostToolBatch' },
      pre('Bash', bash, agent),
      ask('Bash', bash, agent),
      { hook_event_name: 'Stop', background_tasks: background },
      { hook_event_name: 'Notification', notification_type: 'permission_prompt' },
      post('Bash', bash, agent),
      { hook_event_name: 'SubagentStop', ...agent },
      { hook_event_name: 'UserPromptSubmit', prompt: '<task-notification>done</task-notification>' },
      { hook_event_name: 'Stop', background_tasks: [] },
    ]);
    expect(seen).toEqual([
      'autonomous thinking Processing prompt...',
      'autonomous acting Agent: helper',
      'autonomous delegating Running general-purpose agent',
      'autonomous thinking Thinking...',
      'autonomous thinking Thinking...',
      'autonomous thinking Thinking...',
      'needs_you needs_permission Needs permission: Bash',
      'needs_you needs_permission Needs permission: Bash',
      'needs_you needs_permission Needs permission: Bash',
      'autonomous delegating Running general-purpose agent',
      'autonomous acting general-purpose agent finished',
      'autonomous thinking Processing prompt...',
      'needs_you idle Waiting for your next prompt',
    ]);
  });

  it('nests a subagent under the one that started it', () => {
    const inner = { agent_id: 'a2', agent_type: 'Explore' };
    const session = toLiveSession(
      fold([
        pre('Agent', { description: 'outer' }),
        { hook_event_name: 'SubagentStart', ...agent },
        post('Agent', { description: 'outer' }),
        pre('Agent', { description: 'inner' }, agent),
        { hook_event_name: 'SubagentStart', ...inner },
      ]),
    );
    expect(session.subAgents.map(({ id, parentId, description }) => [id, parentId, description])).toEqual([
      ['a1', null, 'outer'],
      ['a2', 'a1', 'inner'],
    ]);
  });

  it('restarts a finished subagent under the same id', () => {
    const session = fold([
      { hook_event_name: 'SubagentStart', ...agent },
      { hook_event_name: 'SubagentStop', ...agent },
      { hook_event_name: 'SubagentStart', ...agent },
    ]);
    expect(session.subagents).toHaveLength(1);
    expect(session.subagents[0]?.endedAt).toBeNull();
  });

  it('does not mistake the end of one tool for the end of a parallel one', () => {
    const other = { command: 'npm test' };
    expect(
      states([
        prompt,
        pre('Bash', bash),
        pre('Bash', other),
        ask('Bash', other),
        post('Bash', bash),
        post('Bash', other),
      ]),
    ).toEqual([
      'autonomous thinking Processing prompt...',
      'autonomous acting Running: git status',
      'autonomous acting Running: npm test',
      'needs_you needs_permission Needs permission: Bash',
      'needs_you needs_permission Needs permission: Bash',
      'autonomous thinking Thinking...',
    ]);
    expect(states([pre('Bash', bash), pre('Bash', other), post('Bash', other)]).at(-1)).toBe(
      'autonomous acting Running: git status',
    );
  });

  it('keeps a question a question when the client asks permission for it and sends a notification', () => {
    const notified = { hook_event_name: 'Notification', notification_type: 'permission_prompt' };
    expect(new Set(states([pre('AskUserQuestion'), ask('AskUserQuestion'), notified]))).toEqual(
      new Set(['needs_you awaiting_input Asked you a question']),
    );
    expect(new Set(states([pre('ExitPlanMode'), ask('ExitPlanMode'), notified]))).toEqual(
      new Set(['needs_you awaiting_approval Plan ready for review']),
    );
  });

  it('is delegating while a background shell runs after the stop', () => {
    const tasks = [{ type: 'shell', command: 'npm run dev' }];
    expect(fold([prompt, { hook_event_name: 'Stop', background_tasks: tasks }]).state).toMatchObject({
      group: 'autonomous',
      state: 'delegating',
      label: 'In the background: npm run dev',
    });
    expect(fold([{ hook_event_name: 'Stop', background_tasks: [...tasks, ...background] }]).state.label).toBe(
      'Waiting for 2 background tasks',
    );
  });
});

describe('changes that no hook reports', () => {
  it('shows an Esc at the keyboard as interrupted', () => {
    for (const hooks of [[prompt], [prompt, pre('Bash', bash)]]) {
      const session = watch(fold(hooks), 'status.corrected', { status: 'idle' });
      expect(session.state).toMatchObject({
        group: 'needs_you',
        state: 'interrupted',
        label: 'You interrupted the agent',
      });
      expect(session.main.calls).toEqual([]);
    }
  });

  it.each([
    ['Denied: Bash', [prompt, pre('Bash', bash), ask('Bash', bash)]],
    ['Question dismissed', [prompt, pre('AskUserQuestion')]],
    ['Plan rejected', [prompt, pre('ExitPlanMode')]],
  ])('shows a refused request as idle, not as interrupted: %s', (label, hooks) => {
    const session = watch(fold(hooks), 'status.corrected', { status: 'idle' });
    expect(session.state).toEqual({ group: 'needs_you', state: 'idle', label });
    expect(session.main.calls).toEqual([]);
  });

  it('shows /compact, which fires no hook until it is done, as working and then as compacted', () => {
    const compacted = { hook_event_name: 'SessionStart', source: 'compact' };
    const rested = [prompt, { hook_event_name: 'Stop' }];
    const done = { group: 'needs_you', state: 'idle', label: 'Context compacted' };
    expect(fold([...rested, compacted]).state).toEqual(done);

    const working = watch(fold(rested), 'status.corrected', { status: 'busy' });
    expect(working.state).toEqual({ group: 'autonomous', state: 'thinking', label: 'Working...' });
    expect(watch(working, 'status.corrected', { status: 'idle' }).state).toMatchObject({
      state: 'idle',
      label: 'Waiting for your next prompt',
    });
    const told = fold([compacted], working);
    expect(told.state.label).toBe('Compacting context...');
    expect(watch(told, 'status.corrected', { status: 'idle' }).state).toEqual(done);
    expect(fold([prompt, compacted]).state.label).toBe('Compacting context...');
  });

  it('continues with the tool after a dialog was answered at the keyboard', () => {
    const session = watch(fold([prompt, pre('Bash', bash), ask('Bash', bash)]), 'status.corrected', { status: 'busy' });
    expect(session.state).toMatchObject({ group: 'autonomous', state: 'acting', label: 'Running: git status' });
  });

  it('waits when the client shows a dialog that no hook reported', () => {
    const waiting = watch(fold([prompt, pre('Bash', bash)]), 'status.corrected', {
      status: 'waiting',
      waitingFor: 'permission prompt',
    });
    expect(waiting.state).toMatchObject({ group: 'needs_you', state: 'needs_permission' });
    expect(watch(waiting, 'status.corrected', { status: 'busy' }).state).toMatchObject({
      state: 'acting',
      label: 'Running: git status',
    });
  });

  it("drops calls whose outcome is only in the transcript, including subagents'", () => {
    const call = { ...pre('Bash', bash), tool_use_id: 't1' };
    const denied = watch(fold([prompt, call]), 'calls.ended', { ids: ['t1'] });
    expect(denied).toMatchObject({ state: { state: 'thinking', label: 'Thinking...' }, main: { calls: [] } });
    const inside = fold([prompt, { hook_event_name: 'SubagentStart', agent_id: 'a' }, { ...call, agent_id: 'a' }]);
    expect(watch(inside, 'calls.ended', { ids: ['t1'] }).subagents).toMatchObject([{ calls: [] }]);
  });

  it('ends a session whose process is gone, and restarts it when it is resumed', () => {
    const gone = watch(fold([prompt]), 'process.gone', { pid: 1 });
    expect(toLiveSession(gone)).toMatchObject({
      status: 'done',
      endReason: 'process_gone',
      agentState: { state: 'session_ended', label: 'Session ended (no process)' },
    });
    const done = watch(fold([prompt, { hook_event_name: 'Stop' }]), 'process.gone', { pid: 1 });
    expect(toLiveSession(done)).toMatchObject({ agentState: { state: 'session_ended', label: 'Session closed' } });
    expect(toLiveSession(fold([{ hook_event_name: 'SessionStart', source: 'resume' }], gone))).toMatchObject({
      status: 'paused',
      endedAt: null,
      title: 'Add auth',
    });
  });

  it('trusts the pid file until the first hook arrives', () => {
    const seen = {
      pid: 7,
      start: '5',
      cwd: '/w/app',
      version: '2.1.325',
      status: 'waiting',
      waitingFor: 'permission prompt',
    };
    const found = transition(undefined, { ...event({ name: 'process.seen' }, T0, 'watch'), payload: seen });
    expect(toLiveSession(found)).toMatchObject({
      pid: 7,
      clientVersion: '2.1.325',
      cwd: '/w/app',
      agentState: { state: 'needs_permission' },
    });
    const idle = watch(found, 'status.corrected', { status: 'idle' });
    expect(idle.state).toMatchObject({ state: 'idle' });
    expect(fold([prompt], idle).state).toMatchObject({ state: 'thinking' });
  });
});

describe('a stop', () => {
  const stop = {
    state: 'stopping',
    requestedAt: T0,
    requestedBy: 'Desk',
    reason: 'Enough',
    kill: false,
    stoppedAt: null,
    receipt: null,
  };
  const stopping = (session: Session) =>
    transition(session, { ...event({ name: 'session.stopping' }, T0 + 1000, 'operator'), payload: { stop } });
  const stopped = (session: Session) =>
    transition(session, {
      ...event({ name: 'session.stopped' }, T0 + 2000, 'control'),
      payload: { stop: { ...stop, state: 'stopped', stoppedAt: T0 + 2000 } },
    });

  it('leaves the session at its prompt and ends its subagents, though the client reports neither', () => {
    const from = { agent_id: 'a1', agent_type: 'Explore' };
    const working = fold([prompt, { hook_event_name: 'SubagentStart', ...from }, pre('Bash', bash, from)]);
    const after = stopped(stopping(working));
    expect(after.state).toMatchObject({ group: 'needs_you', state: 'interrupted', label: 'Stopped by Desk' });
    expect(after.subagents).toMatchObject([{ endedAt: T0 + 2000, calls: [], state: { state: 'stopped' } }]);
    expect(after.stop).toMatchObject({ state: 'stopped' });
  });

  it('does not disturb a session that was idle or has ended', () => {
    const idle = fold([prompt, { hook_event_name: 'Stop' }]);
    expect(stopped(stopping(idle)).state).toEqual(idle.state);
    const ended = fold([prompt, { hook_event_name: 'SessionEnd', reason: 'other' }]);
    expect(stopped(stopping(ended)).state).toEqual(ended.state);
  });

  it('ends with the next prompt, but not with a refused one', () => {
    const early = fold([prompt], stopping(fold([prompt])));
    expect(early.stop).toMatchObject({ state: 'stopping' });
    expect(fold([prompt], stopped(early)).stop).toBeNull();
  });
});

describe('attention', () => {
  const failed = { hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', error: 'x' };
  const failedTurn = { hook_event_name: 'StopFailure', error: 'rate_limit' };
  const settled = (session: Session) =>
    transition(session, { ...event({ name: 'attention.settled' }, T0 + 9999, 'clock'), payload: {} });

  it('does not alert the operator about a failed tool: the agent reads the error and continues', () => {
    const failing = fold([prompt, pre('Bash', bash), failed]);
    expect(failing.attention).toBe('none');
    expect(columnOf(toLiveSession(failing))).toBe('autonomous');
    const other = { ...pre('Read', { file_path: '/a' }), tool_use_id: 't2' };
    const beside = fold([prompt, { ...pre('Bash', bash), tool_use_id: 't1' }, other, { ...failed, tool_use_id: 't1' }]);
    expect(beside.state).toMatchObject({ state: 'acting' });
  });

  it('does not move a card for a failed request that is retried immediately', () => {
    const failing = fold([prompt, failedTurn]);
    expect(failing.attention).toBe('settling');
    const recovered = fold([prompt], failing);
    expect(recovered.attention).toBe('none');
    expect(settled(recovered).attention).toBe('none');
  });

  it('alerts once the state has lasted', () => {
    const waiting = settled(fold([prompt, ask('Bash', bash)]));
    expect(waiting.attention).toBe('settled');
    expect(columnOf(toLiveSession(waiting))).toBe('needs_you');
  });

  it('restarts the delay when one waiting state follows another, and keeps an alert it has raised', () => {
    const stop = { hook_event_name: 'Stop' };
    expect(fold([prompt, failedTurn, stop])).toMatchObject({ attention: 'settling', attentionSince: T0 + 20 });
    expect(fold([stop], settled(fold([prompt, failedTurn])))).toMatchObject({ attention: 'settled' });
  });

  it('shows a session that starts by waiting immediately', () => {
    expect(fold([{ hook_event_name: 'SessionStart', source: 'startup' }]).attention).toBe('settled');
  });
});

describe('other facts', () => {
  it('takes the title from the first prompt and counts the turns of the operator', () => {
    const session = toLiveSession(
      fold([
        { hook_event_name: 'SessionStart', source: 'startup', model: 'opus' },
        { hook_event_name: 'UserPromptSubmit', prompt: 'Fix\n the   login' },
        { hook_event_name: 'Stop' },
        { hook_event_name: 'UserPromptSubmit', prompt: 'And test it' },
        { hook_event_name: 'UserPromptSubmit', prompt: 'tick', source: 'schedule_wakeup' },
      ]),
    );
    expect(session).toMatchObject({
      title: 'Fix the login',
      lastUserMessage: 'And test it',
      turnCount: 2,
      model: 'opus',
      projectDisplayName: 'app',
    });
  });

  it('follows models, folders and tasks', () => {
    const session = toLiveSession(
      fold([
        { hook_event_name: 'PostModelSwitch', from_model: 'a', to_model: 'b' },
        { hook_event_name: 'CwdChanged', cwd: '/w/app', old_cwd: '/w/app', new_cwd: '/w/other' },
        { hook_event_name: 'TaskCreated', cwd: '/w/other', task_id: '1', task_subject: 'One' },
        { hook_event_name: 'TaskCreated', cwd: '/w/other', task_id: '2', task_subject: 'Two' },
        { hook_event_name: 'TaskCompleted', cwd: '/w/other', task_id: '1', task_subject: 'One' },
      ]),
    );
    expect(session).toMatchObject({
      model: 'b',
      cwd: '/w/other',
      progressItems: [
        { id: '1', title: 'One', status: 'completed' },
        { id: '2', title: 'Two', status: 'pending' },
      ],
    });
  });

  it('keeps a streamed session small, whatever a tool call carries', () => {
    const huge = 'x'.repeat(5_000_000);
    const session = toLiveSession(
      fold([
        { hook_event_name: 'UserPromptSubmit', prompt: huge },
        pre('Write', { file_path: '/a', content: huge }),
        ask('Write', { file_path: '/a', content: huge }),
      ]),
    );
    expect(JSON.stringify(session).length).toBeLessThan(10_000);
  });

  it('never throws, whatever a payload contains', () => {
    const names = [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PermissionRequest',
      'PostToolUse',
      'Stop',
      'SubagentStart',
      'SubagentStop',
      'Notification',
      'TaskCreated',
      'SessionEnd',
      'X',
    ];
    const keys = fc.constantFrom(
      'tool_name',
      'tool_input',
      'tool_use_id',
      'agent_id',
      'agent_type',
      'prompt',
      'source',
      'background_tasks',
      'error',
      'cwd',
      'task_id',
      'message',
    );
    const hook = fc
      .tuple(fc.constantFrom(...names), fc.dictionary(keys, fc.jsonValue()))
      .map(([hook_event_name, rest]) => ({ ...rest, hook_event_name }));
    fc.assert(
      fc.property(fc.array(hook, { minLength: 1, maxLength: 12 }), (hooks) => {
        const session = toLiveSession(fold(hooks));
        expect(typeof session.agentState.label).toBe('string');
      }),
      { numRuns: 500 },
    );
  });
});

describe('a teammate that goes idle', () => {
  const start = { hook_event_name: 'SubagentStart', agent_id: 'ada@crew', agent_type: 'Ada' };
  const idle = { hook_event_name: 'TeammateIdle', teammate_name: 'Ada', team_name: 'crew' };

  it.each([
    ['by its agent id', { ...idle, agent_id: 'ada@crew', teammate_name: 'somebody' }],
    ['by its name and team', { ...idle, teammate_name: 'ada' }],
    ['by its name', idle],
  ])('is marked, %s, while its lead keeps delegating', (_, hook) => {
    const session = fold([start, hook]);
    expect(session.subagents).toMatchObject([{ endedAt: null, state: { group: 'autonomous', state: 'idle' } }]);
    expect(session.state).toMatchObject({ group: 'autonomous', state: 'delegating' });
    const again = { hook_event_name: 'PreToolUse', agent_id: 'ada@crew', tool_name: 'Bash', tool_input: {} };
    expect(fold([start, hook, again]).subagents[0]!.state.state).toBe('acting');
  });

  it('does not wake a lead that waits for the operator', () => {
    const session = fold([start, { hook_event_name: 'Stop' }, idle]);
    expect(session.main.state.state).toBe('idle');
  });
});
