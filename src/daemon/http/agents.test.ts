import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';

let daemon: TestDaemon;
let project: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  project = join(daemon.folder, 'app');
  mkdirSync(project);
});
afterAll(() => daemon.dispose());

const texts = (name: string) => ({
  config: JSON.stringify({ name, description: 'Reviews a diff' }),
  systemPrompt: 'You review.',
  mcp: null,
});

test('saves, lists, changes and removes a blueprint, and records who did', async () => {
  const body = { scope: 'project', project, texts: texts('reviewer'), expected: null };
  const saved = (await daemon.call('PUT', '/api/agents/reviewer', { body })).json;
  expect(saved).toMatchObject({
    name: 'reviewer',
    scope: 'project',
    isUsed: true,
    problems: [],
    config: { name: 'reviewer' },
  });
  expect(readFileSync(join(project, '.groundcontrol/agents/reviewer/agent.json'), 'utf8')).toBe(body.texts.config);

  const where = new URLSearchParams({ project }).toString();
  expect((await daemon.call('GET', `/api/agents?${where}`)).json.agents).toMatchObject([{ name: 'reviewer' }]);
  expect((await daemon.call('GET', '/api/agents')).json.agents).toEqual([]);
  expect((await daemon.call('PUT', '/api/agents/reviewer', { body })).json.error).toMatchObject({
    code: 'agent.conflict',
  });
  const removal = `/api/agents/reviewer?${where}&scope=project&expected=`;
  expect((await daemon.call('DELETE', `${removal}old`)).status).toBe(409);
  expect((await daemon.call('DELETE', removal + saved.version)).status).toBe(204);
  expect((await daemon.call('GET', `/api/agents/reviewer?${where}`)).status).toBe(404);

  const { entries } = (await daemon.call('GET', '/api/audit?action=agent.')).json;
  expect(entries).toMatchObject([
    { action: 'agent.saved', detail: expect.stringContaining('reviewer: ') },
    { action: 'agent.removed' },
  ]);
});

test('refuses an invalid blueprint, and names the line', async () => {
  const broken = { ...texts('a'), config: '{\n  "name": "a",\n  "descripton": "x"\n}' };
  const put = (name: string, body: object) => daemon.call('PUT', `/api/agents/${name}`, { body });
  const refused = await put('a', { scope: 'user', texts: broken, expected: null });
  expect([refused.status, refused.json.error.code]).toEqual([422, 'agent.invalid']);
  expect(refused.json.error.problems).toEqual(
    expect.arrayContaining([expect.objectContaining({ file: 'agent.json', line: 3, path: ['descripton'] })]),
  );
  const checked = await daemon.call('POST', '/api/agents/check', { body: { name: 'a', texts: broken } });
  expect(checked.json.problems).toEqual(refused.json.error.problems);
  expect((await put('..%2f..%2fx', { scope: 'user', texts: texts('../../x'), expected: null })).status).toBe(422);
  expect((await put('a', { scope: 'claude_user', texts: texts('a'), expected: null })).status).toBe(400);
  expect((await put('a', { scope: 'project', project: 'relative', texts: texts('a'), expected: null })).status).toBe(
    400,
  );
  expect((await put('a', { scope: 'environment', texts: texts('a'), expected: null })).status).toBe(400);
});

test('shows a viewer the blueprints of projects on the board only', async () => {
  const { token } = (await daemon.call('POST', '/api/tokens', { body: { name: 'Screen', role: 'viewer' } })).json;
  const list = (query: Record<string, string>) =>
    daemon.call('GET', `/api/agents?${new URLSearchParams(query)}`, { token }).then(({ status }) => status);
  expect(await list({})).toBe(200);
  expect(await list({ project })).toBe(403);
  expect(await list({ agentsDir: project })).toBe(403);
  await daemon.hook({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'Work', cwd: project });
  expect(await list({ project })).toBe(200);
  const body = { scope: 'user', texts: texts('a'), expected: null };
  expect((await daemon.call('PUT', '/api/agents/a', { token, body })).status).toBe(403);
});
