import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed after the test file. */
export function tempDir(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `gc-${name}-`));
  made.push(folder);
  return folder;
}
