import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cleanEnv } from '../kit/daemon-process.ts';
import { gctlBinary, makeGctlHome } from '../kit/run-gctl.ts';
import { callTool, live, say } from '../kit/scripted-answer.ts';
import { type Scenario, startScriptedApi } from '../kit/scripted-api.ts';
import { openTerminal } from '../kit/terminal.ts';
import { waitFor } from '../kit/wait.ts';

async function start(scenario: Scenario) {
  const { home, run } = makeGctlHome();
  const cwd = join(home, 'project');
  mkdirSync(cwd);
  const api = await startScriptedApi(scenario, { strict: true });
  onTestFinished(() => api.close());
  const env = { ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: api.url };
  return { home, cwd, api, env, run: (...args: string[]) => run(args, { cwd, env }) };
}

describe('gctl run', () => {
  it('answers a script: text or events on stdout, the outcome as exit code, and a denial if it would have to ask', async () => {
    const { run } = await start([
      { when: 'simple', reply: [say('The **answer**.')] },
      { when: 'blocked', reply: [callTool('Bash', { command: 'touch nope' }), say('I could not.')] },
      { when: 'allowed', reply: [callTool('Bash', { command: 'echo hi' }), say('Done.')] },
      { when: 'broken', reply: [{ kind: 'api-error', status: 401, type: 'authentication_error', message: 'bad key' }] },
    ]);
    expect(await run('run', '-p', 'simple')).toMatchObject({ code: 0, stdout: 'The **answer**.\n' });
    const blocked = await run('run', '--json', 'blocked');
    const events = blocked.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.find(({ type }) => type === 'tool.denied').reason).toContain('without an operator');
    expect(events.at(-1)).toMatchObject({ type: 'turn.ended', outcome: { kind: 'completed' } });
    const allowed = await run('run', '--json', '--allow', 'Bash(echo:*)', 'allowed');
    expect(allowed.stdout).toContain('"type":"tool.ended"');
    expect(await run('run', '-p', 'broken')).toMatchObject({ code: 1, stderr: expect.stringContaining('bad key') });
    expect((await run('run')).code).toBe(2);
  });

  it('continues after kill -9 at any moment, resumes by id, and forks', async () => {
    const slow = callTool('Bash', { command: 'sleep 0.03; echo step' });
    const { home, cwd, env, run, api } = await start([
      { when: 'long task', reply: Array.from({ length: 40 }, () => slow) },
      { when: 'still there', reply: [callTool('Bash', { command: 'echo back' }), say('Yes.')] },
      { when: 'another way', reply: [say('Forked.')] },
    ]);
    const allow = ['--allow', 'Bash'];
    for (let round = 0; round < 6; round += 1) {
      const child = spawn(
        process.execPath,
        [gctlBinary, 'run', '-p', ...(round > 0 ? ['-c'] : []), ...allow, 'long task'],
        {
          cwd,
          env: cleanEnv(home, env),
          stdio: 'ignore',
        },
      );
      const exited = once(child, 'exit');
      const asked = api.requests.length;
      await waitFor(() => api.requests.length > asked, { what: 'a request' });
      await sleep(Math.random() * 250);
      child.kill('SIGKILL');
      await exited;
      expect(await run('run', '-p', '--continue', ...allow, 'still there?')).toMatchObject({
        code: 0,
        stdout: 'Yes.\n',
      });
    }
    const [file = ''] = readdirSync(join(home, '.groundcontrol/native/conversations')).filter((name) =>
      name.endsWith('.jsonl'),
    );
    const id = file.replace('.jsonl', '');
    expect(await run('run', '-p', '--resume', id.slice(0, 8), '--fork', 'another way')).toMatchObject({
      stdout: 'Forked.\n',
    });
    expect(JSON.stringify(api.requests.at(-1)?.body.messages)).toContain('still there?');
    expect(
      readdirSync(join(home, '.groundcontrol/native/conversations')).filter((name) => name.endsWith('.jsonl')),
    ).toHaveLength(2);
    expect(await run('run', '-p', '--resume', 'nope', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no conversation nope'),
    });
    expect(await run('run', '-p', '--fork', 'x')).toMatchObject({ code: 2 });
  });

  it('completes a task in a terminal: read, edit with a diff, test, background server, question, kill', async () => {
    const { home, cwd, env, api } = await start([
      {
        when: 'fix it',
        reply: [
          callTool('Read', { file_path: 'sum.js' }),
          callTool('Edit', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' }),
          callTool('Bash', { command: 'node sum.js' }),
          callTool('Bash', { command: 'echo serving; sleep 300' }),
          callTool('AskUserQuestion', {
            questions: [{ question: 'Stop the server?', options: [{ label: 'Yes' }, { label: 'No' }] }],
          }),
          (request) =>
            callTool('KillShell', { shell_id: /shell ID: (sh-\w+)/.exec(JSON.stringify(request.messages))?.[1] }),
          say('# Fixed\nThe sum is **right** now.'),
        ],
      },
      { when: 'think', reply: [live((answer) => answer.openText('thinking hard\nabout '))] },
    ]);
    writeFileSync(join(cwd, 'sum.js'), 'console.log(((a, b) => a - b)(2, 3));\n');
    const terminal = await openTerminal({
      command: [process.execPath, gctlBinary, 'run'],
      cwd,
      env: { ...cleanEnv(home, env), TERM: 'xterm' },
    });
    onTestFinished(() => terminal.dispose());

    await terminal.waitForScreen(/\/help for commands[\s\S]*\n>\s*$/);
    await terminal.type('fix it');
    await terminal.press('Enter');
    await terminal.waitForScreen(/Allow Edit\?[\s\S]*-console[\s\S]*\+console[\s\S]*\[y\]es/);
    expect(readFileSync(join(cwd, 'sum.js'), 'utf8')).toContain('a - b');
    await terminal.type('y');
    await terminal.waitForScreen(/Allow Bash\?[\s\S]*node sum\.js[\s\S]*\[b\]ackground/);
    await terminal.type('y');
    await terminal.waitForScreen(/Allow Bash\?\s+echo serving/);
    await terminal.type('y');
    await terminal.waitForScreen(/│ serving/);
    await terminal.press('C-b');
    await terminal.waitForScreen(/In the background as sh-[\s\S]*Stop the server\?[\s\S]*Answer/);
    await terminal.type('1');
    await terminal.press('Enter');
    await terminal.waitForScreen(/Fixed\nThe sum is right now\./);
    expect(readFileSync(join(cwd, 'sum.js'), 'utf8')).toContain('a + b');
    const sent = JSON.stringify(api.requests.at(-1)?.body.messages);
    expect(sent).toContain('Command moved to background');
    expect(sent).toContain('Stop the server?\\nYes');
    expect(sent).toContain('Nothing it started is still running');

    await terminal.type('think');
    await terminal.press('Enter');
    await terminal.waitForScreen(/thinking hard/);
    await terminal.press('Escape');
    await terminal.waitForScreen(/Interrupted\./);
    await terminal.type('/cost');
    await terminal.press('Enter');
    await terminal.waitForScreen(/Decision\s+\d × allow by operator/);
    await terminal.press('C-d');
    await terminal.ended();
  });

  it('appears on a daemon that starts later, with everything since its start', async () => {
    const { home, cwd, env, run } = await start([
      { when: 'early', reply: [callTool('Bash', { command: 'touch early' }), say('Early enough.')] },
    ]);
    const terminal = await openTerminal({
      command: [process.execPath, gctlBinary, 'run'],
      cwd,
      env: { ...cleanEnv(home, env), TERM: 'xterm' },
    });
    onTestFinished(() => terminal.dispose());
    await terminal.waitForScreen(/\/help for commands/);
    await terminal.type('early');
    await terminal.press('Enter');
    await terminal.waitForScreen(/\[y\]es/);
    await run('up', '--detach', '--no-open', '--no-hooks', '--port', '0');
    await terminal.waitForScreen(/on Ground Control/);
    await waitFor(async () => (await run('approvals')).stdout.includes('touch early'), { what: 'its approval' });
    await terminal.type('y');
    await terminal.waitForScreen(/Early enough\./);
    await waitFor(async () => /run-1.*succeeded/.test((await run('list')).stdout), { what: 'the session in the list' });
  });

  it('edits a command before allowing it, accepts type-ahead, multiple lines and pasted text, and stays usable', async () => {
    const { home, cwd, env, api } = await start([
      { when: 'wrong command', reply: [callTool('Bash', { command: 'echo wrong' }), say('Ran it.')] },
      { when: 'first line', reply: [say('Read both.')] },
      { when: 'slow', reply: [callTool('Bash', { command: 'sleep 1' })] },
    ]);
    const terminal = await openTerminal({
      command: [process.execPath, gctlBinary, 'run'],
      cwd,
      env: { ...cleanEnv(home, env), TERM: 'xterm' },
    });
    onTestFinished(() => terminal.dispose());
    await terminal.waitForScreen(/\/help for commands/);
    const enter = async (text: string) => {
      await terminal.type(text);
      await terminal.press('Enter');
    };
    await enter('wrong command');
    await terminal.waitForScreen(/\[e\]dit/);
    await terminal.type('e');
    await terminal.waitForScreen(/Command: echo wrong/);
    await terminal.press('C-u');
    await enter('echo right');
    await terminal.waitForScreen(/│ right[\s\S]*Ran it\./);
    await enter('first line\\');
    await terminal.waitForScreen(/ {2}first line/);
    await terminal.type('\u001B[200~pasted one\npasted two\u001B[201~');
    await terminal.waitForScreen(/\[Pasted text #1, 2 lines\]/);
    await terminal.press('Enter');
    await terminal.waitForScreen(/Read both\./);
    expect(JSON.stringify(api.requests.at(-1)?.body.messages)).toContain('first line\\npasted one\\npasted two');
    await enter('slow');
    await terminal.waitForScreen(/\[y\]es/);
    await terminal.type('y');
    await terminal.waitForScreen(/Allowed\./);
    await enter('and more');
    await terminal.waitForScreen(/> and more\s+Done\./);
    await waitFor(() => JSON.stringify(api.requests.at(-1)?.body.messages).includes('and more'), { what: 'the rest' });
    await enter('/model claude-opus-5');
    await terminal.waitForScreen(/Model: claude-opus-5/);
    await enter('/nonsense');
    await terminal.waitForScreen(/There is no command \/nonsense/);
    await enter('/exit');
    await terminal.ended();
  });
});
