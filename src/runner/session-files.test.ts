import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SessionFiles } from './session-files.ts';

function setUp({ logging = false } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'gc-session-files-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  let at = 0;
  const make = () =>
    new SessionFiles({
      ...{ dir, name: 'fix', blueprint: 'fixer', logging, cwd: '/app', sessionId: 'uuid' },
      now: () => new Date(at),
    });
  const read = (extension: string) => readFileSync(join(dir, `fix.${extension}`), 'utf8');
  return { dir, make, read, meta: () => JSON.parse(read('meta.json')), pass: (ms: number) => (at += ms) };
}

test('writes the session ID in the second stage only', () => {
  const { make, meta } = setUp();
  const files = make();
  files.begin({ isResumed: false });
  const first = {
    ...{ session_name: 'fix', session_id: null, agent: 'fixer', project_dir: '/app', status: 'running' },
    ...{ created_at: '1970-01-01T00:00:00.000Z', last_resumed_at: null },
  };
  expect(meta()).toEqual(first);
  files.ready('uuid');
  expect(meta()).toEqual({ ...first, session_id: 'uuid' });
  files.end();
  expect(meta()).toMatchObject({ status: 'finished', session_id: 'uuid' });
});

test('keeps the creation time of a resumed session', () => {
  const { make, meta, pass } = setUp();
  make().begin({ isResumed: false });
  pass(1000);
  make().begin({ isResumed: true });
  expect(meta()).toMatchObject({
    ...{ session_id: 'uuid', created_at: '1970-01-01T00:00:00.000Z', last_resumed_at: '1970-01-01T00:00:01.000Z' },
  });
});

test('writes a line per message, and the log only on request', () => {
  const { make, read, dir } = setUp();
  const files = make();
  for (const type of ['user', 'assistant', 'result']) files.message({ type, text: 'two\nlines' });
  const lines = read('jsonl').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(['user', 'assistant', 'result']);
  expect(existsSync(join(dir, 'fix.log'))).toBe(false);
  const logged = setUp({ logging: true });
  logged.make().begin({ isResumed: false });
  expect(logged.read('log')).toBe('1970-01-01T00:00:00.000Z started fix\n');
});
