import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './prepare.mjs';

/** Runs a TypeScript file of the tests as a separate program. Returns its exit code. */
export async function runBundled(input, args = []) {
  // below node_modules, where it finds its packages
  const made = mkdtempSync(join(root, 'node_modules', '.run-'));
  try {
    const external = (id) => !id.startsWith('.') && !id.startsWith('/');
    const bundle = await rolldown({ input, platform: 'node', external });
    await bundle.write({ file: join(made, 'run.mjs'), format: 'esm', codeSplitting: false });
    return spawnSync(process.execPath, [join(made, 'run.mjs'), ...args], { stdio: 'inherit', cwd: tmpdir() }).status;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
