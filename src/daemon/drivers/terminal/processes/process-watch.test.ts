import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Draft } from '../../../journal/journal.ts';
import { findClients, isAlive, startTime } from '../../../processes/process-table.ts';
import { SpareClients } from '../../../processes/spare-clients.ts';
import { LiveModel } from '../../../sessions/live-model.ts';
import { translate } from '../../to-agent-events.ts';
import { ProcessWatch } from './process-watch.ts';

let configDir: string;
let live: LiveModel;
let drafts: Draft[];
let seq: number;
let child: ChildProcess;

beforeEach(() => {
  configDir = mkdtempSync(join(tmpdir(), 'gc-watch-'));
  mkdirSync(join(configDir, 'sessions'));
  live = new LiveModel();
  drafts = [];
  seq = 0;
  child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
});
afterEach(() => {
  child.kill('SIGKILL');
  rmSync(configDir, { recursive: true, force: true });
});

async function record(draft: Draft): Promise<void> {
  drafts.push(draft);
  live.apply(translate({ ...draft, seq: ++seq, at: Date.now() }));
}

const newWatch = () =>
  new ProcessWatch({
    configDir,
    spareClients: new SpareClients({ configDir, runners: join(configDir, 'runners') }),
    live,
    record,
    now: Date.now,
    onError: (error) => expect.fail(String(error)),
  });
const names = () => drafts.map(({ name }) => name);
const hook = (payload: Record<string, unknown>) =>
  record({ sessionId: 's', source: 'hook', name: String(payload.hook_event_name), payload });

async function writePidFile(more: Record<string, unknown> = {}): Promise<void> {
  const content = {
    pid: child.pid,
    sessionId: 's',
    cwd: '/w',
    procStart: await startTime(child.pid!),
    version: '2.1.325',
    status: 'idle',
    statusUpdatedAt: Date.now(),
    ...more,
  };
  writeFileSync(join(configDir, 'sessions', `${child.pid}.json`), JSON.stringify(content));
}

const killChild = () =>
  new Promise((resolve) => {
    child.on('exit', resolve);
    child.kill('SIGKILL');
  });

describe('ProcessWatch', () => {
  it('finds a session that runs already, and ends it when its process is killed', async () => {
    await writePidFile();
    const watch = newWatch();
    await watch.check();
    expect(live.view('s')).toMatchObject({ pid: child.pid, agentState: { state: 'idle' }, clientVersion: '2.1.325' });
    await watch.check();
    await killChild();
    await watch.check();
    await watch.check();
    expect(names()).toEqual(['process.seen', 'process.gone']);
    expect(live.view('s')).toMatchObject({ status: 'done', agentState: { state: 'session_ended' } });
  });

  it("doesn't mistake a reused pid for the session", async () => {
    await hook({ hook_event_name: 'UserPromptSubmit' });
    await writePidFile({ procStart: '1' });
    await newWatch().check();
    expect(live.view('s')?.pid).toBeNull();
    await record({ sessionId: 's', source: 'watch', name: 'process.seen', payload: { pid: child.pid!, start: '1' } });
    await newWatch().check();
    expect(names().at(-1)).toBe('process.gone');
  });

  it('settles an Esc once the client has been idle for a while', async () => {
    await hook({ hook_event_name: 'UserPromptSubmit' });
    await writePidFile({ status: 'busy' });
    const watch = newWatch();
    await watch.check();
    await writePidFile({ status: 'idle', statusUpdatedAt: Date.now() + 1 });
    await watch.check();
    expect(live.view('s')?.agentState.state).toBe('thinking');
    await new Promise((next) => setTimeout(next, 450));
    await watch.check();
    expect(live.view('s')?.agentState.state).toBe('interrupted');
  });

  it('ends a session when its process switches to another', async () => {
    await writePidFile();
    const watch = newWatch();
    await watch.check();
    await writePidFile({ sessionId: 'other' });
    await watch.check();
    expect(live.view('s')?.agentState.state).toBe('session_ended');
    expect(live.view('other')?.pid).toBe(child.pid);
  });

  it('drops a session without a process after five silent minutes, unless a program asks on its behalf', async () => {
    let at = Date.now();
    const watch = new ProcessWatch({
      configDir,
      spareClients: new SpareClients({ configDir, runners: join(configDir, 'runners') }),
      live,
      record,
      now: () => at,
      onError: (error) => expect.fail(String(error)),
    });
    const ask = (name: 'api_ask.raised' | 'api_ask.settled') =>
      record({
        sessionId: 's',
        source: 'control',
        name,
        payload: { approvalId: 'a', toolName: 'Bash', toolInput: {} },
      });
    await ask('api_ask.raised');
    at += 3_600_000;
    await watch.check();
    expect(live.view('s')).toMatchObject({ endedAt: null, agentState: { state: 'needs_permission' } });
    await ask('api_ask.settled');
    at += 3_600_000;
    await watch.check();
    expect(live.view('s')).toMatchObject({ agentState: { state: 'session_ended' } });
  });

  it('checks when the client touches its files, and skips unreadable ones', async () => {
    writeFileSync(join(configDir, 'sessions', '99.json'), '{"pid": 99, "sess');
    const watch = newWatch();
    watch.start();
    await writePidFile();
    await expect.poll(() => live.view('s')?.pid, { timeout: 20_000 }).toBe(child.pid);
    await watch.stop();
  });
});

describe('process table', () => {
  it('distinguishes live processes from dead ones and reused pids', async () => {
    const pid = child.pid!;
    const start = await startTime(pid);
    expect(await isAlive({ pid, start })).toBe(true);
    expect(await isAlive({ pid, start: '1' })).toBe(false);
    await killChild();
    expect(await isAlive({ pid, start })).toBe(false);
  });

  it('finds a client without a pid file by its name and folder', async () => {
    const cwd = configDir;
    const client = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { cwd, argv0: 'claude' });
    await expect
      .poll(async () => (await findClients()).some((one) => one.pid === client.pid && one.cwd === cwd))
      .toBe(true);
    client.kill('SIGKILL');
  });
});
