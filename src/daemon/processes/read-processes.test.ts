import { execFileSync, spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTime } from './process-table.ts';
import { parsePs, readProcesses } from './read-processes.ts';

function startChild(env: Record<string, string> = {}) {
  const child = spawn('sleep', ['60'], { detached: true, env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe('readProcesses', () => {
  it('finds a process with its parent and group until it dies', async () => {
    const child = startChild();
    const found = (await readProcesses()).find(({ pid }) => pid === child.pid);
    expect(found).toMatchObject({ parentPid: process.pid, groupId: child.pid, isStopped: false, mark: null });
    expect(found?.command).toContain('sleep 60');
    process.kill(child.pid!, 'SIGSTOP');
    await expect.poll(async () => (await readProcesses()).find(({ pid }) => pid === child.pid)?.isStopped).toBe(true);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    expect((await readProcesses()).some(({ pid }) => pid === child.pid)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('reads who started it from its environment', async () => {
    const child = startChild({
      CLAUDE_CODE_SESSION_ID: 'abc',
      NOT_CLAUDE_CODE_SESSION_ID: 'x',
      AI_AGENT: 'claude-code_2-1-325_agent',
    });
    await expect
      .poll(async () => (await readProcesses()).find(({ pid }) => pid === child.pid)?.mark)
      .toEqual({ sessionId: 'abc', role: 'agent' });
    const found = (await readProcesses()).find(({ pid }) => pid === child.pid);
    expect(found?.start).toBe(await startTime(child.pid!));
    expect(found?.kernelSession).toBe(child.pid);
  });
});

describe('parsePs', () => {
  it('reads what ps prints, on any system', () => {
    const child = startChild();
    const columns = 'pid=,ppid=,pgid=,tty=,stat=,lstart=,command=';
    const env = { ...process.env, LC_ALL: 'C' };
    const output = execFileSync('ps', ['-axwwo', columns], { encoding: 'utf8', env });
    const processes = parsePs(output);
    expect(processes.find(({ pid }) => pid === child.pid)).toMatchObject({
      parentPid: process.pid,
      groupId: child.pid,
      kernelSession: child.pid,
      hasTerminal: false,
      command: 'sleep 60',
      start: expect.stringMatching(/^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/),
    });
  });

  it('ignores zombies', () => {
    expect(parsePs('  7  1  7 ?  Z+   Sat Nov 15 22:24:47 2025 [git] <defunct>\n\n')).toEqual([]);
  });
});
