import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { settingsMode } from './settings-mode.ts';

const dir = mkdtempSync(join(tmpdir(), 'gc-settings-mode-'));
const path = join(dir, 'settings.json');
afterAll(() => rmSync(dir, { recursive: true }));

it('reports whether others can read the hook token', () => {
  expect(settingsMode(dir)).toBeUndefined();
  writeFileSync(path, '{"model":"opus"}');
  expect(settingsMode(dir)).toBeUndefined();
  writeFileSync(path, '{"hooks":{"Stop":[{"hooks":[{"headers":{"x-groundcontrol-token":"t"}}]}]}}');
  chmodSync(path, 0o644);
  expect(settingsMode(dir)).toEqual({ path, mode: '0644', isPrivate: false });
  chmodSync(path, 0o600);
  expect(settingsMode(dir)).toEqual({ path, mode: '0600', isPrivate: true });
});
