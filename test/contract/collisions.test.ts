import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestDaemon } from '../kit/test-daemon.ts';

test('flags both sessions that write the same file or folder until one ends, even across a restart', async () => {
  let daemon = await startTestDaemon();
  const { folder } = daemon;
  onTestFinished(() => daemon.dispose());
  const app = join(folder, 'app');
  mkdirSync(app);
  let n = 0;
  const write = async (session_id: string, file: string, tool_name = 'Write') => {
    const call = { session_id, cwd: app, tool_name, tool_input: { file_path: file }, tool_use_id: `t${++n}` };
    await daemon.hook({ ...call, hook_event_name: 'PreToolUse' });
    await daemon.hook({ ...call, hook_event_name: 'PostToolUse', tool_response: {} });
  };
  const collisionsOf = async (id: string) => (await daemon.session(id))?.collisions;
  await write('a', join(app, 'x.ts'));
  await write('a', join(app, 'y.ts'), 'Read');
  await write('b', '/elsewhere/x.ts');
  expect([await collisionsOf('a'), await collisionsOf('b')]).toEqual([[], []]);

  await write('b', join(app, 'y.ts'));
  await expect.poll(() => collisionsOf('a')).toMatchObject([{ sessionId: 'b', place: app, files: [] }]);
  await expect.poll(() => collisionsOf('b')).toMatchObject([{ sessionId: 'a', place: app, files: [] }]);
  await write('b', 'x.ts');
  await expect.poll(() => collisionsOf('a')).toMatchObject([{ sessionId: 'b', files: [join(app, 'x.ts')] }]);

  await daemon.stop();
  daemon = await startTestDaemon({ folder });
  expect(await collisionsOf('b')).toMatchObject([{ sessionId: 'a', files: [join(app, 'x.ts')] }]);
  await daemon.hook({ session_id: 'a', cwd: app, hook_event_name: 'SessionEnd', reason: 'exit' });
  await expect.poll(() => collisionsOf('b')).toEqual([]);
  await expect.poll(() => collisionsOf('a')).toEqual([]);
});
