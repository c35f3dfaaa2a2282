import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { build, fail, install, root } from './prepare.mjs';

// npm run bench            all of them
// npm run bench ingest     one
const folder = join(root, 'test', 'bench');
const all = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => basename(name, '.ts'));
const names = process.argv.slice(2);
const unknown = names.filter((name) => !existsSync(join(folder, `${name}.ts`)));
if (unknown.length > 0) fail(`No such benchmark: ${unknown.join(', ')}. There are: ${all.join(', ')}`);

install({ tests: true });
build();
for (const name of names.length > 0 ? names : all) {
  const made = mkdtempSync(join(root, 'node_modules', '.bench-'));
  try {
    const bundle = await rolldown({
      input: join(folder, `${name}.ts`),
      platform: 'node',
      external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    });
    await bundle.write({ file: join(made, 'bench.mjs'), format: 'esm', codeSplitting: false });
    const { status } = spawnSync(process.execPath, [join(made, 'bench.mjs')], { stdio: 'inherit', cwd: tmpdir() });
    if (status !== 0) process.exitCode = 1;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
