import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { cleanEnv } from '../kit/daemon-process.ts';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { isAlive } from '../kit/processes.ts';
import { gctlBinary } from '../kit/run-gctl.ts';
import { callTool, live, say } from '../kit/scripted-answer.ts';
import { openTerminal, type Terminal } from '../kit/terminal.ts';
import { waitFor } from '../kit/wait.ts';

let orchestra: DaemonWithRunners;

beforeAll(async () => {
  orchestra = await startDaemonWithRunners([
    {
      when: 'two files',
      reply: [
        callTool('Bash', { command: 'touch from-afar' }),
        callTool('Bash', { command: 'touch in-place' }),
        say('Both **pelicans** are there.'),
      ],
    },
    { when: 'from the phone', reply: [say('Hello, phone.')] },
    { when: 'think', reply: [live((answer) => answer.openText('thinking hard\nabout '))] },
    {
      when: 'daemon away',
      reply: [callTool('Bash', { command: 'touch while-away' }), say('Done without a daemon.')],
    },
    {
      when: 'leave something',
      reply: [
        callTool('Bash', { command: 'echo $$ > left.pid; while true; do sleep 0.1; done', run_in_background: true }),
        callTool('Bash', { command: 'echo $$ > right.pid; while true; do sleep 0.1; done' }),
        say('Never said.'),
      ],
    },
    { when: 'what was left', reply: [say('Two loops.')] },
    { when: 'tie', reply: [callTool('Bash', { command: 'echo tied >> ties' }), say('Tied.')] },
    { when: 'script', reply: [callTool('Bash', { command: 'touch scripted' }), say('Scripted.')] },
    {
      when: 'break out',
      reply: [
        callTool('Bash', { command: `script -qec '${process.execPath} ${gctlBinary} away on' /dev/null; true` }),
        say('Tried.'),
      ],
    },
  ]);
});
afterAll(() => orchestra?.dispose());

const home = () => dirname(orchestra.home.configDir);
const at = (name: string) => join(orchestra.project, name);
const env = () => ({
  ...cleanEnv(home(), { ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: orchestra.api.url }),
  TERM: 'xterm',
});

async function openRun(...args: string[]): Promise<Terminal> {
  // A terminal that opens while another session's command ends may be that agent's, and the daemon would ask
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const terminal = await openTerminal({
    command: [process.execPath, gctlBinary, 'run', '--model', 'claude-sonnet-5', ...args],
    cwd: orchestra.project,
    env: env(),
  });
  onTestFinished(() => terminal.dispose());
  await terminal.waitForScreen(/\/help for commands/);
  return terminal;
}

async function sessionOf(terminal: Terminal): Promise<LiveSession> {
  await terminal.waitForScreen(/on Ground Control/);
  const found = await waitFor(
    async () => {
      const { json } = await orchestra.call('GET', '/api/orchestrated?limit=100');
      return json.sessions.find(
        (one: { hasRunner: boolean; name: string }) => one.hasRunner && one.name.startsWith('run'),
      );
    },
    { what: 'the session' },
  );
  return orchestra.view(found.id);
}

const enter = async (terminal: Terminal, text: string) => {
  await terminal.type(text);
  await terminal.press('Enter');
};
const nextApproval = (id: string): Promise<Approval> =>
  waitFor(async () => (await orchestra.pending(id))[0], { what: `an approval of ${id}` });
const approval = async (id: string): Promise<Approval> => (await orchestra.call('GET', `/api/approvals/${id}`)).json;

describe('gctl run beside a daemon', () => {
  test('is a session like any other: board, approvals answered in either place, prompts, stop, cost and search', async () => {
    const terminal = await openRun();
    const { id } = await sessionOf(terminal);
    // it is listed before its first report arrives
    await waitFor(async () => (await orchestra.view(id)).agentState.state === 'idle', { what: 'it to be idle' });

    await enter(terminal, 'two files');
    const first = await nextApproval(id);
    expect(first.toolInput.command).toBe('touch from-afar');
    await terminal.waitForScreen(/Allow Bash\?\s+touch from-afar[\s\S]*\[y\]es/);
    expect((await orchestra.view(id)).agentState).toMatchObject({ group: 'needs_you', state: 'needs_permission' });
    expect((await orchestra.decide(first.id, { decision: 'allow' })).status).toBe(200);
    await terminal.waitForScreen(/Answered from Ground Control: allow/);
    await terminal.waitForScreen(/Allow Bash\?\s+touch in-place[\s\S]*\[y\]es/);
    expect(await approval(first.id)).toMatchObject({ delivery: { state: 'delivered' } });
    expect(existsSync(at('from-afar'))).toBe(true);

    const second = await nextApproval(id);
    await terminal.type('y');
    await terminal.waitForScreen(/Both pelicans are there\./);
    await waitFor(async () => (await approval(second.id)).status === 'answered_in_terminal', { what: 'it to close' });
    expect(await approval(second.id)).toMatchObject({ closedWhy: 'Allowed in the terminal.' });
    expect((await orchestra.decide(second.id, { decision: 'deny' })).status).toBe(409);

    const sent = await orchestra.call('POST', `/api/sessions/${id}/prompt`, { text: 'from the phone' });
    expect(sent.status).toBeLessThan(300);
    await terminal.waitForScreen(/> from the phone\s+\(sent from Ground Control\)\s+Hello, phone\./);

    await enter(terminal, 'think');
    await terminal.waitForScreen(/thinking hard/);
    await waitFor(async () => (await orchestra.view(id)).agentState.state === 'thinking', { what: 'it to think' });
    expect((await orchestra.call('POST', `/api/sessions/${id}/stop`, {})).status).toBeLessThan(300);
    await terminal.waitForScreen(/Interrupted\./);

    const view = await waitFor(
      async () => {
        const session = await orchestra.view(id);
        return (session.tokens?.outputTokens ?? 0) > 0 ? session : undefined;
      },
      { what: 'its tokens' },
    );
    expect(view.toolCounts).toMatchObject({ Bash: 2 });
    const found = async () => (await orchestra.call('GET', '/api/search?q=pelicans')).json.hits?.length > 0;
    await waitFor(found, { what: 'the session in search', timeout: 60_000 });
    const audit = await orchestra.call('GET', '/api/audit?limit=100');
    expect(JSON.stringify(audit.json)).toContain(id);

    await terminal.press('C-d');
    await terminal.ended();
    await waitFor(async () => !(await orchestra.get(id)).hasRunner, { what: 'it to be over' });
    expect(await orchestra.get(id)).toMatchObject({ driver: 'native', hasRunner: false, error: null });
  });

  test('a restarted daemon finds everything, including answers given meanwhile', async () => {
    const terminal = await openRun();
    const { id } = await sessionOf(terminal);
    await enter(terminal, 'daemon away');
    const asked = await nextApproval(id);
    await terminal.waitForScreen(/touch while-away[\s\S]*\[y\]es/);
    await orchestra.daemon.kill('SIGKILL');
    await terminal.waitForScreen((screen) => !screen.includes('on Ground Control'));
    await terminal.type('y');
    await terminal.waitForScreen(/Done without a daemon\./);
    expect(existsSync(at('while-away'))).toBe(true);
    await orchestra.restart();
    await terminal.waitForScreen(/on Ground Control/);
    await waitFor(async () => (await approval(asked.id)).status === 'answered_in_terminal', { what: 'it to close' });
    await orchestra.reaches(id, 'succeeded');
    expect(await orchestra.result(id)).toMatchObject({ text: 'Done without a daemon.' });
  });

  test('kill -9 leaves no process behind, and the session resumes anywhere', async () => {
    const terminal = await openRun('--allow', 'Bash');
    const { id } = await sessionOf(terminal);
    await enter(terminal, 'leave something');
    await waitFor(() => existsSync(at('right.pid')) && existsSync(at('left.pid')), { what: 'both loops' });
    const pids = ['left.pid', 'right.pid'].map((name) => Number(readFileSync(at(name), 'utf8')));
    process.kill(terminal.pid, 'SIGKILL');
    await waitFor(() => pids.every((pid) => !isAlive(pid)), { what: 'the loops to end' });
    await orchestra.reaches(id, 'failed');
    expect((await orchestra.get(id)).error).toContain('killed');
    const resumed = await orchestra.call('POST', `/api/sessions/${id}/resume`, { prompt: 'what was left?' });
    expect(resumed.status).toBe(200);
    await orchestra.reaches(id, 'succeeded');
    expect(await orchestra.result(id)).toMatchObject({ text: 'Two loops.' });
    expect(JSON.stringify(orchestra.api.requests.at(-1)?.body.messages)).toContain('may have run');
    await orchestra.call('POST', `/api/sessions/${id}/cancel`);
    await waitFor(async () => !(await orchestra.get(id)).hasRunner, { what: 'its runner to end' });
    const again = await openRun('--resume', id);
    await again.waitForScreen(/> what was left\?[\s\S]*Two loops\./);
  });

  test('of two simultaneous answers one counts, and the other gets a note', async () => {
    const terminal = await openRun();
    const { id } = await sessionOf(terminal);
    let runs = 0;
    for (let round = 1; round <= 4; round += 1) {
      await enter(terminal, `tie ${round}`);
      const asked = await nextApproval(id);
      await terminal.waitForScreen(/\[y\]es/);
      const [decided] = await Promise.all([orchestra.decide(asked.id, { decision: 'deny' }), terminal.type('y')]);
      await orchestra.reaches(id, 'succeeded');
      await waitFor(async () => (await approval(asked.id)).delivery?.state !== 'pending', { what: 'its delivery' });
      const { status, delivery } = await approval(asked.id);
      const isTerminals = status === 'answered_in_terminal' || delivery?.state === 'not_delivered';
      if (isTerminals) runs += 1;
      const ran = existsSync(at('ties')) ? readFileSync(at('ties'), 'utf8').split('\n').length - 1 : 0;
      expect({ round, ran, told: decided.status }).toEqual({
        round,
        ran: runs,
        told: status === 'answered_in_terminal' ? 409 : 200,
      });
    }
  });

  test('a script asks through the daemon, and an agent in it cannot act as the operator', async () => {
    // Opened first: right after a command of the script, the daemon would ask whether the script's agent opened it
    const terminal = await openRun('--allow', 'Bash');
    await sessionOf(terminal);
    const running = orchestra.gctl(['run', '-p', 'script'], {
      env: { ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: orchestra.api.url },
    });
    const asked = await waitFor(async () => (await orchestra.pending())[0], { what: 'its approval' });
    await orchestra.decide(asked.id, { decision: 'allow' });
    expect(await running).toMatchObject({ code: 0, stdout: 'Scripted.\n' });

    await enter(terminal, 'break out');
    // the operator allows the command, and it still can't act as the operator
    await terminal.waitForScreen(/\[y\]es/);
    await terminal.type('y');
    await terminal.waitForScreen(/Tried\./);
    expect(await terminal.screen()).toMatch(/can't act as the operator/);
    expect((await orchestra.call('GET', '/api/away')).json.away ?? false).toBe(false);
  });
});
