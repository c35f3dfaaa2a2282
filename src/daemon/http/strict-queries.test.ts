import { expect, it, onTestFinished } from 'vitest';
import { startTestDaemon } from '../../../test/kit/test-daemon.ts';

it('refuses an unknown query parameter, and lists the known ones', async () => {
  const daemon = await startTestDaemon();
  onTestFinished(daemon.dispose);
  const { paths } = (await daemon.call('GET', '/api/openapi.json')).json as {
    paths: Record<string, Record<string, unknown>>;
  };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/api/') && !path.startsWith('/api/runners/') && 'get' in methods
      ? [path.replace(/\{\w+\}/g, 'x')]
      : [],
  );
  expect(routes.length).toBeGreaterThan(15);
  for (const route of routes) {
    const { status, json } = await daemon.call('GET', `${route}?limt=5`);
    expect([route, status, json?.error?.code]).toEqual([route, 400, 'request.invalid']);
    expect(json.error.message).toContain('no parameter "limt"');
  }
  const { json } = await daemon.call('GET', '/api/history?limt=5&q=x');
  expect(json.error.message).toBe('querystring: there is no parameter "limt". Use q, sort, offset, limit.');
  expect((await daemon.call('GET', '/api/history?limit=5')).status).toBe(200);
});
