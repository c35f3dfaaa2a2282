import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { STREAM_PAYLOADS } from '../../src/contract/stream.ts';
import { checkout } from '../kit/daemon-process.ts';
import { startTestDaemon } from '../kit/test-daemon.ts';

/** Routes that the OpenAPI description leaves out because they are not for API clients. */
const UNLISTED = ['POST /api/live/hook', 'POST /api/live/hook/strict', 'POST /api/live/rewake'];

it('docs/api.md lists every route, and no removed one', async () => {
  const daemon = await startTestDaemon();
  onTestFinished(daemon.dispose);
  const { paths } = (await daemon.call('GET', '/api/openapi.json')).json as { paths: Record<string, object> };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const stream = JSON.stringify(paths['/api/live/stream']);
  const page = readFileSync(join(checkout, 'docs', 'api.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `([A-Z]+ \/\S*)` \|/gm)].map(([, route]) => route);
  for (const event of Object.keys(STREAM_PAYLOADS)) {
    expect(stream, event).toContain(`"${event}"`);
    expect(page, event).toMatch(new RegExp(`^\\| [^|]*\`${event}\`[^|]* \\|`, 'm'));
  }
  expect(documented.toSorted()).toEqual([...routes, ...UNLISTED].sort());
});
