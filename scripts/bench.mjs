import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, fail, install, root } from './prepare.mjs';
import { runBundled } from './run-bundled.mjs';

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
  if ((await runBundled(join(folder, `${name}.ts`))) !== 0) process.exitCode = 1;
}
