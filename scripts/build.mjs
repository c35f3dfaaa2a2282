import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as bundle } from 'rolldown';
import { build as buildWeb, runnerImport } from 'vite';
import { lightContract } from './light-contract.mjs';
import { root, SDK, sdkFolder } from './prepare.mjs';

/** Passed by the caller that found the build out of date, and stored with the build for the next check. */
const [stamp = ''] = process.argv.slice(2);
/** These stay packages because they load their own files. Everything else is bundled, which halves the time of a start and the size of an install. */
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const packages = Object.keys(dependencies);
const dist = join(root, 'dist');
const made = `${dist}.new-${process.pid}`;
const old = `${dist}.old-${process.pid}`;

// `runnerImport` would set it to development, and the page would ship React's development build
process.env.NODE_ENV = 'production';
const { module: routes } = await runnerImport(join(root, 'web', 'routes-without-schemas.ts'));

try {
  const external = packages.map((name) => new RegExp(`^${name}(/|$)`));
  await bundle({
    cwd: root,
    input: { gctl: 'src/cli/main.ts', runner: 'src/runner/main.ts' },
    platform: 'node',
    external,
    // one package's CommonJS build loads its parts by names no bundler can see
    resolve: { mainFields: ['module', 'main'], alias: { [SDK]: join(sdkFolder(), 'sdk.mjs') } },
    plugins: [lightContract(), onlyAscii()],
    output: { dir: made, format: 'esm', chunkFileNames: '[name]-[hash].js', sourcemap: true },
  });
  // CommonJS: loading the ES module loader would delay each thread by 10 ms
  await bundle({
    cwd: root,
    input: { 'transcripts-worker': 'src/daemon/transcripts/threads/worker.ts' },
    platform: 'node',
    external,
    output: {
      dir: made,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: 'worker-[name]-[hash].cjs',
      sourcemap: true,
    },
  });
  await buildWeb({
    configFile: join(root, 'web', 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: join(made, 'web'), emptyOutDir: true },
  });
  await bundle({
    cwd: root,
    input: { sw: 'web/src/push/service-worker.ts' },
    plugins: [routes.routesWithoutSchemas()],
    platform: 'browser',
    output: { dir: join(made, 'web'), format: 'iife', minify: true },
  });
  writeFileSync(join(made, '.sources'), stamp);
  // built separately and swapped: a `gctl` that starts meanwhile finds the old build or the new one, never half of one
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(made, dist);
} finally {
  rmSync(old, { recursive: true, force: true });
  rmSync(made, { recursive: true, force: true });
}

/** V8 keeps the source in memory, and a single non-Latin character doubles the memory for the whole file. */
function onlyAscii() {
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    name: 'only-ascii',
    generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped);
      }
    },
  };
}
