import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Orchestra, startOrchestra } from '../kit/orchestra.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

let orchestra: Orchestra;

beforeAll(async () => {
  orchestra = await startOrchestra([
    { when: 'say hello', reply: [say('Hello.')] },
    { when: 'make a file', reply: [callTool('Bash', { command: 'touch made.txt' }), say('Made it.')] },
  ]);
});
afterAll(() => orchestra?.dispose());

test('a session runs to its result, and shows the same states as one in a terminal', async () => {
  const { id } = await orchestra.start({ name: 'hello', prompt: 'say hello' });
  const done = await orchestra.reaches(id, 'succeeded', 'failed');
  expect(done).toMatchObject({ lifecycle: 'succeeded', error: null, name: 'hello', hasRunner: true });
  expect(await orchestra.result('hello')).toMatchObject({ text: 'Hello.', lifecycle: 'succeeded' });
  const { json } = await orchestra.call('GET', '/api/sessions');
  expect(json.sessions.filter((one: { id: string }) => one.id === id)).toHaveLength(1);
});

test('a call that no rule covers is asked for, and allowed', async () => {
  const { id } = await orchestra.start({ name: 'asks', prompt: 'make a file' });
  const [approval] = await waitFor(
    async () => {
      const found = await orchestra.pending(id);
      return found.length > 0 ? found : undefined;
    },
    { what: 'an approval' },
  );
  expect((await orchestra.view(id)).agentState).toMatchObject({ group: 'needs_you', state: 'needs_permission' });
  await orchestra.decide(approval!.id, { decision: 'allow' });
  await orchestra.reaches(id, 'succeeded');
  expect(existsSync(join(orchestra.project, 'made.txt'))).toBe(true);
});
