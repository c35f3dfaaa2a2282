import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { killProgram, makeProgram, startProgram } from '../settings/program-for-test.ts';
import { tempDir } from '../settings/temp-dir-for-test.ts';
import { waitForStandIn } from './stand-in.ts';

let daemon: string;
let heir: string;
let mark: string;

beforeAll(async () => {
  daemon = await makeProgram(`
    import { createServer } from 'node:http';
    import { startKeeper } from '../keeper/keeper.ts';
    const [then, ...command] = process.argv.slice(2);
    const server = createServer((request, response) => response.end('daemon'));
    server.listen(0, '127.0.0.1', () => {
      const keeper = startKeeper(command, server);
      if (then === 'stop') keeper.stop();
      if (then === 'take over') keeper.takeOver();
      process.stdout.write(String(server.address().port));
    });`);
  heir = await makeProgram(`
    import { standIn } from '../keeper/stand-in.ts';
    const placed = await standIn({ fd: 3 });
    await placed.leaveSoon();`);
});

beforeEach(() => {
  mark = join(tempDir("keeper's"), 'it ran');
});

test('runs only after the daemon was killed', async () => {
  const { program } = await startProgram(daemon, 'live', 'touch', mark);
  await sleep(50);
  expect(existsSync(mark)).toBe(false);
  await killProgram(program);
  await expect.poll(() => existsSync(mark), { timeout: 5000 }).toBe(true);
});

test('does not run once stopped', async () => {
  const { program } = await startProgram(daemon, 'stop', 'touch', mark);
  await killProgram(program);
  await sleep(200);
  expect(existsSync(mark)).toBe(false);
});

test('runs when told to', async () => {
  const { program } = await startProgram(daemon, 'take over', 'touch', mark);
  await expect.poll(() => existsSync(mark), { timeout: 5000 }).toBe(true);
  await killProgram(program);
});

test('keeps the port: refuses no connection, answers hooks, and hands the port to the next daemon', async () => {
  const { program, said: port } = await startProgram(daemon, 'live', process.execPath, heir);
  const post = () => fetch(`http://127.0.0.1:${port}/api/live/hook`, { method: 'POST', body: '{}' });
  expect(await (await post()).text()).toBe('daemon');
  await killProgram(program);
  expect(await (await post()).text()).toBe('{}');
  const page = await fetch(`http://127.0.0.1:${port}/`);
  expect([page.status, await page.json()]).toMatchObject([503, { error: { code: 'daemon.stand_in' } }]);
  await waitForStandIn(Number(port));
  await expect(post()).rejects.toThrow();
});
