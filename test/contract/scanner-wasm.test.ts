import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from '../kit/daemon-process.ts';

test('the committed scanner is what its sources compile to', () => {
  const committed = readFileSync(join(checkout, 'src/daemon/transcripts/usage/fast/scanner.wasm.ts'), 'utf8');
  const compiled = execFileSync(process.execPath, [join(checkout, 'scripts/compile-scanner.mjs'), '--print'], {
    encoding: 'utf8',
  });
  expect(compiled === committed, 'scanner.wasm.ts is stale: run node scripts/compile-scanner.mjs').toBe(true);
});
