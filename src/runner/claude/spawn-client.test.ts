import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { SpawnedProcess } from '@anthropic-ai/claude-agent-sdk';
import { expect, test } from 'vitest';
import type { RunnerProcess } from '../../contract/runners.ts';
import { spawnClient, startAhead } from './spawn-client.ts';

const ECHO = {
  command: '/bin/sh',
  args: ['-c', 'echo $NAME; cat'],
  cwd: '/tmp',
  env: { NAME: 'one', PATH: '/usr/bin:/bin' },
};
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

function begin(command = ECHO) {
  const noted: RunnerProcess[] = [];
  const note = (one: RunnerProcess) => void noted.push(one);
  const ahead = startAhead(command, note);
  const spawn = spawnClient(note, ahead);
  const signal = new AbortController();
  return { noted, ask: (wanted: typeof ECHO) => spawn({ ...wanted, signal: signal.signal }), signal };
}

const answerOf = (child: SpawnedProcess): Promise<string> => text(child.stdout);

test('hands over the client that was started ahead, with all of its output', async () => {
  const { noted, ask } = begin();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const child = ask({ ...ECHO, env: { PATH: '/usr/bin:/bin', NAME: 'one' } });
  child.stdin.end('two\n');
  expect(await answerOf(child)).toBe('one\ntwo\n');
  expect(noted).toHaveLength(1);
});

test('starts another client if the SDK asks for a different one, and ends the first', async () => {
  const { noted, ask } = begin();
  const child = ask({ ...ECHO, env: { ...ECHO.env, NAME: 'other' } });
  child.stdin.end();
  expect(await answerOf(child)).toBe('other\n');
  expect(noted).toHaveLength(2);
  await expect.poll(() => isAlive(noted[0]!.pid)).toBe(false);
});

test('reports a client that cannot be started through the SDK', async () => {
  const missing = { ...ECHO, command: '/nonexistent/claude' };
  const { ask } = begin(missing);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const child = ask(missing);
  const [error] = await once(child as unknown as NodeJS.EventEmitter, 'error');
  expect(error).toMatchObject({ code: 'ENOENT' });
});

test('replaces a client that ended early', async () => {
  const short = { ...ECHO, args: ['-c', 'echo ended'] };
  const { noted, ask } = begin(short);
  await expect.poll(() => isAlive(noted[0]!.pid)).toBe(false);
  const child = ask(short);
  expect(await answerOf(child)).toBe('ended\n');
  expect(noted).toHaveLength(2);
});

test('ends the client when the SDK aborts it', async () => {
  const { noted, ask, signal } = begin();
  ask(ECHO);
  signal.abort();
  await expect.poll(() => isAlive(noted[0]!.pid)).toBe(false);
});
