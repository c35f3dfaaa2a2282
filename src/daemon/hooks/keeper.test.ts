import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { killProgram, makeProgram, startProgram } from './program-for-test.ts';
import { tempDir } from './temp-dir-for-test.ts';

let daemon: string;
let mark: string;

beforeAll(async () => {
  daemon = await makeProgram(`
    import { startKeeper } from './keeper.ts';
    const [mark, then] = process.argv.slice(2);
    const keeper = startKeeper(['touch', mark]);
    if (then === 'stop') keeper.stop();
    process.stdout.write('at work');
    setInterval(() => undefined, 1000);`);
});

beforeEach(() => {
  mark = join(tempDir("keeper's"), 'it ran');
});

test('runs when the daemon was killed, not before', async () => {
  const program = await startProgram(daemon, mark);
  await sleep(50);
  expect(existsSync(mark)).toBe(false);
  await killProgram(program);
  await expect.poll(() => existsSync(mark), { timeout: 5000 }).toBe(true);
});

test('does not run once stopped', async () => {
  await killProgram(await startProgram(daemon, mark, 'stop'));
  await sleep(200);
  expect(existsSync(mark)).toBe(false);
});
