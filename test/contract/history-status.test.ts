import { afterAll, beforeAll, expect, test } from 'vitest';
import { IndexStatus } from '../../src/contract/history.ts';
import { startTestDaemon, type TestDaemon } from '../kit/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

test('tells how far the index is', async () => {
  const { status, json } = await daemon.call('GET', '/api/history/status');
  expect(status).toBe(200);
  expect(IndexStatus.parse(json)).toEqual(json);
});
