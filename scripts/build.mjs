import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle } from 'rolldown';
import { build as buildWeb } from 'vite';
import { build, root } from './prepare.mjs';

/** Builds beside and swaps: a `gctl` that starts meanwhile finds the old build or the new one, never half of one. */
export async function buildAll({ stamp }) {
  const dist = join(root, 'dist');
  const made = `${dist}.new-${process.pid}`;
  const old = `${dist}.old-${process.pid}`;
  try {
    await bundle({
      cwd: root,
      input: { gctl: 'src/cli/main.ts' },
      platform: 'node',
      // packages stay packages; only our own sources are bundled
      external: (id) => !id.startsWith('.') && !id.startsWith('/'),
      output: { dir: made, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js', sourcemap: true },
    });
    await buildWeb({
      configFile: join(root, 'web', 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: join(made, 'web'), emptyOutDir: true },
    });
    writeFileSync(join(made, '.sources'), stamp);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(made, dist);
  } finally {
    rmSync(old, { recursive: true, force: true });
    rmSync(made, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build();
