import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RUNNER_FILES } from '../../src/contract/runner-names.ts';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { say } from '../kit/scripted-answer.ts';
import { openSse } from '../kit/sse-client.ts';
import { waitFor } from '../kit/wait.ts';

let orchestra: DaemonWithRunners;
let page: Awaited<ReturnType<typeof openSse>>;
let presence: NodeJS.Timeout;

beforeAll(async () => {
  orchestra = await startDaemonWithRunners([{ when: 'say hello', reply: [say('Hello.')] }]);
  const { url, operatorToken } = orchestra.daemon;
  page = await openSse({ url, token: operatorToken, query: '?tab=page' });
  const look = () => orchestra.call('POST', '/api/presence', { tab: 'page', visible: true, inputAgoMs: 0 });
  await look();
  presence = setInterval(() => void look().catch(() => undefined), 5000);
});
afterAll(async () => {
  clearInterval(presence);
  page?.close();
  await orchestra?.dispose();
});

interface SpareSpec {
  cwd: string;
  sessionId: string;
}

const runnerDirs = () =>
  existsSync(orchestra.runnersDir)
    ? readdirSync(orchestra.runnersDir).map((name) => join(orchestra.runnersDir, name))
    : [];

/** The spec of the spare, once its client is ready to take a prompt. */
async function spare(): Promise<SpareSpec> {
  const isSpare = (dir: string) =>
    existsSync(join(dir, RUNNER_FILES.spec)) && !existsSync(join(dir, RUNNER_FILES.processes));
  const dir = await waitFor(() => runnerDirs().find(isSpare), { what: 'a spare', timeout: 60_000 });
  return JSON.parse(readFileSync(join(dir, RUNNER_FILES.spec), 'utf8'));
}

let sessions = 0;

async function run() {
  const name = `session-${++sessions}`;
  const { id } = await orchestra.start({ name, prompt: `say hello ${name}.` });
  await orchestra.reaches(id, 'succeeded');
  expect(await orchestra.result(id)).toMatchObject({ text: 'Hello.' });
  return id;
}

const onBoard = async (): Promise<string[]> =>
  ((await orchestra.call('GET', '/api/sessions')).json.sessions as LiveSession[]).map(({ id }) => id);

/** The spare in the project, with time for its client to start. */
async function spareInPlace(): Promise<SpareSpec> {
  const look = async () => ((await spare()).cwd === orchestra.project ? spare() : undefined);
  const found = await waitFor(look, { what: 'a spare in the project', timeout: 60_000 });
  await sleep(3000);
  return found;
}

test('keeps a spare while someone is at the board: parked at first, then in the folder of the last sessions', async () => {
  await spare();
  await run();
  await run();
  // on a slow machine a session starts without it
  for (let attempt = 1; ; attempt++) {
    const { sessionId } = await spareInPlace();
    // its process looks like a session in the project
    expect(await onBoard()).not.toContain(sessionId);
    const id = await run();
    expect(await onBoard()).toContain(id);
    if (id === sessionId) break;
    expect(attempt).toBeLessThan(4);
  }
});

test('does not use a spare that read older instructions or another commit', async () => {
  const { sessionId } = await spareInPlace();
  writeFileSync(join(orchestra.project, 'CLAUDE.md'), 'Remember the zebra.\n');
  const args = [
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@localhost',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'Add a yak',
  ];
  execFileSync('git', args, { cwd: orchestra.project });
  const id = await run();
  expect(id).not.toBe(sessionId);
  const { body } = orchestra.api.requests.find(({ turn }) => turn.prompt.includes(`session-${sessions}.`))!;
  expect(JSON.stringify(body)).toContain('Remember the zebra.');
  expect(JSON.stringify(body)).toContain('Add a yak');
});
