import { describe, expect, test } from 'vitest';
import { hookEntries } from './hook-entries.ts';
import { hookEventNames, hookRegistration } from './hook-events.ts';
import { hasToken, readOwnHook, readStrictHook } from './own-hook.ts';

const asked = { port: 8765, token: 'secret', tokenFile: '/data/hook-token.curlrc' };
const allHooks = (options: Parameters<typeof hookEntries>[0]) =>
  Object.entries(hookEntries(options)).flatMap(([event, { hooks }]) => hooks.map((hook) => ({ event, ...hook })));
const wakes = (hook: object) => 'asyncRewake' in hook;
const hooksOf = (options: Parameters<typeof hookEntries>[0]) => allHooks(options).filter((hook) => !wakes(hook));

describe('a current client', () => {
  test('registers every event except those where an observer would interfere', () => {
    const left = hookEventNames.filter((event) => hookEntries({ ...asked, isStopping: true })[event] === undefined);
    expect(left).toEqual(['WorktreeCreate', 'WorktreeRemove', 'MessageDisplay']);
    for (const event of left) expect(hookRegistration(event)).toMatchObject({ form: 'none' });
  });

  test('registers PostToolBatch only while a session is being stopped', () => {
    const { PostToolBatch, ...others } = hookEntries({ ...asked, isStopping: true });
    expect(PostToolBatch?.hooks).toMatchObject([{ type: 'http', timeout: 5 }]);
    expect(hookEntries(asked)).toEqual(others);
    expect(hookEntries({ ...asked, isStopping: true, clientVersion: '2.1.117' })).not.toHaveProperty('PostToolBatch');
  });

  test('runs no command at the end of a headless run, unless the client may lack pid files', () => {
    expect(hookEntries(asked).SessionEnd?.matcher?.split('|')).not.toContain('other');
    expect(hookEntries({ ...asked, clientVersion: '2.1.324' }).SessionEnd).not.toHaveProperty('matcher');
  });

  test('the client posts events itself, except where it cannot or would complain', () => {
    const commands = hooksOf(asked).filter(({ type }) => type === 'command');
    expect(commands.map(({ event }) => event)).toEqual([
      'SessionStart',
      'Setup',
      'SessionEnd',
      'PermissionRequest',
      'Elicitation',
    ]);
    expect(hookEntries(asked).PostToolUse).toEqual({
      hooks: [
        {
          type: 'http',
          url: 'http://127.0.0.1:8765/api/live/hook',
          timeout: 5,
          headers: { 'x-groundcontrol-token': 'secret' },
          statusMessage: 'Ground Control',
        },
      ],
    });
  });

  test('every hook names Ground Control in the spinner', () => {
    for (const form of ['http', 'command'] as const) {
      for (const { statusMessage } of hooksOf({ ...asked, form })) expect(statusMessage).toBe('Ground Control');
    }
  });

  test('hooks that may be held say whether the client has a terminal', () => {
    expect(hookEntries(asked).PreToolUse?.hooks[0]).toMatchObject({
      headers: { 'x-groundcontrol-token': 'secret', 'x-groundcontrol-entrypoint': '$CLAUDE_CODE_ENTRYPOINT' },
      allowedEnvVars: ['CLAUDE_CODE_ENTRYPOINT'],
    });
  });

  test('questions to the operator are separate processes, or http hooks without curl', () => {
    for (const event of ['PermissionRequest', 'Elicitation'] as const) {
      const [hook] = hookEntries(asked)[event]!.hooks;
      expect(hook).toMatchObject({ type: 'command', timeout: 86_400 });
      expect(hook).toHaveProperty('command', expect.stringContaining("'/data/daemon.json'"));
      expect(hookEntries({ ...asked, hasCurl: false })[event]?.hooks).toMatchObject([
        { type: 'http', timeout: 86_400 },
      ]);
      expect(hookEntries({ ...asked, form: 'command' })[event]?.hooks).toEqual([hook]);
    }
  });

  test('stays out of compactions that the user requests: each hook there prints a line', () => {
    for (const form of ['http', 'command'] as const) {
      const { PreCompact, PostCompact } = hookEntries({ ...asked, form });
      expect([PreCompact?.matcher, PostCompact?.matcher]).toEqual(['auto', 'auto']);
    }
  });

  test('only hooks that may ask the operator have a long timeout', () => {
    const long = hooksOf(asked).filter(({ timeout }) => timeout > 10);
    expect(long.map(({ event, timeout }) => [event, timeout])).toEqual([
      ['PreToolUse', 86_400],
      ['PermissionRequest', 86_400],
      ['Elicitation', 86_400],
    ]);
  });

  test('recognizes every entry as ours, and not as a strict project’s', () => {
    for (const { event, ...hook } of allHooks(asked)) {
      const own = readOwnHook(hook);
      expect(own, event).toMatchObject({ port: 8765 });
      expect(own && hasToken(own, asked), event).toBe(true);
      expect('command' in hook && hook.command.includes(asked.token), event).toBe(false);
      expect(readStrictHook(hook), event).toBeUndefined();
    }
  });

  test('if the daemon is dead, a stand-in is ready before a session’s first http hook', () => {
    const commands = hooksOf({ ...asked, whenDaemonGone: ['clean-up'] }).flatMap((hook) =>
      hook.type === 'command' ? [[hook.event, hook.command.includes("'clean-up' --stand-in"), hook.timeout]] : [],
    );
    expect(commands).toEqual([
      ['SessionStart', true, 10],
      ['Setup', true, 10],
      ['SessionEnd', false, 2],
      ['PermissionRequest', false, 86_400],
      ['Elicitation', false, 86_400],
    ]);
  });

  test('waits for prompts in the background after the start and after each turn', () => {
    const waiting = allHooks(asked).filter(wakes);
    expect(waiting.map(({ event }) => event)).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop']);
    for (const hook of waiting) expect(hook).toMatchObject({ type: 'command', async: true, timeout: 86_400 });
    expect(new Set(waiting.map((hook) => 'command' in hook && hook.command)).size).toBe(1);
  });
});

describe('an older client', () => {
  test('gets only events it knows: one unknown name invalidates its settings file', () => {
    expect(Object.keys(hookEntries({ ...asked, clientVersion: '2.1.70' })).sort()).toEqual(
      [
        ...['ConfigChange', 'Elicitation', 'ElicitationResult', 'InstructionsLoaded', 'Notification'],
        ...['PermissionRequest', 'PostToolUse', 'PostToolUseFailure', 'PreCompact', 'PreToolUse', 'SessionEnd'],
        ...['SessionStart', 'Setup', 'Stop', 'SubagentStart', 'SubagentStop', 'TaskCompleted', 'TeammateIdle'],
        'UserPromptSubmit',
      ].sort(),
    );
  });

  test('without http hooks gets commands, in the background unless they wait for an answer or must stay in order', () => {
    const hooks = hooksOf({ ...asked, clientVersion: '2.1.62' });
    expect(new Set(hooks.map(({ type }) => type))).toEqual(new Set(['command']));
    const waited = hooks.filter((hook) => !('async' in hook)).map(({ event }) => event);
    expect(waited).toEqual(['SessionStart', 'SessionEnd', 'PreToolUse', 'PermissionRequest']);
    const long = hooks.filter(({ timeout }) => timeout > 5).map(({ event }) => event);
    expect(long).toEqual(['PreToolUse', 'PermissionRequest']);
    expect(hooks).toHaveLength(16);
    expect(hooksOf({ ...asked, clientVersion: '2.1.63' }).some(({ type }) => type === 'http')).toBe(true);
  });

  test("does not wait for prompts if it can't be woken", () => {
    expect(allHooks({ ...asked, clientVersion: '2.1.71' }).filter(wakes)).toEqual([]);
    expect(allHooks({ ...asked, clientVersion: '2.1.72' }).filter(wakes)).toHaveLength(3);
  });
});

test('uses only commands where http hooks would go to a proxy', () => {
  const types = hooksOf({ ...asked, form: 'command' }).map(({ type }) => type);
  expect(types).toEqual(Array(29).fill('command'));
});

test.each(["a'b", 'a b', '$HOME', 'a"b', '', 'a\nb'])('token %j is refused', (token) => {
  expect(() => hookEntries({ ...asked, token })).toThrow('hook token');
});
