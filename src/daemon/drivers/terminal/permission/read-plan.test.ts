import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPlan } from './read-plan.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-plan-'));
  for (const name of ['config/plans', 'elsewhere/plans', 'secrets']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'config/plans/good.md'), 'the plan');
  writeFileSync(join(folder, 'config/plans/large.md'), 'x'.repeat(600_000));
  writeFileSync(join(folder, 'secrets/key.md'), 'secret');
  symlinkSync('../../secrets/key.md', join(folder, 'config/plans/link.md'));
  symlinkSync('../secrets', join(folder, 'elsewhere/linked'));
  rmSync(join(folder, 'elsewhere/plans'), { recursive: true });
  symlinkSync('../secrets', join(folder, 'elsewhere/plans'));
  execFileSync('mkfifo', [join(folder, 'config/plans/pipe.md')]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string) =>
  readPlan({
    session_id: 's',
    hook_event_name: 'PermissionRequest',
    tool_input: { plan: 'as sent', planFilePath: join(folder, path) },
  });

it('reads the file that the client wrote', async () => {
  expect(await read('config/plans/good.md')).toBe('the plan');
});

it.each([
  ['a link to another file', 'config/plans/link.md'],
  ['a folder of plans that is a link', 'elsewhere/plans/key.md'],
  ['a file elsewhere', 'secrets/key.md'],
  ['a path that climbs out', 'config/plans/../../secrets/key.md'],
  ['a pipe', 'config/plans/pipe.md'],
  ['a file that is too large', 'config/plans/large.md'],
  ['a file that is not there', 'config/plans/none.md'],
])('shows the text that was sent, not %s', async (_, path) => {
  expect(await read(path)).toBe('as sent');
});
