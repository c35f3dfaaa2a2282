import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { install, root } from './prepare.mjs';

const STEPS = [
  ['format, lint, boundaries', ['biome', 'ci', '--error-on-warnings', '.']],
  ['types', ['tsc', '--noEmit']],
  ['unused code', ['knip']],
  ['words', ['node', 'scripts/check-words.mjs']],
  ['paths in docs', ['node', 'scripts/check-paths.mjs']],
  ['dependencies', ['node', 'scripts/check-dependencies.mjs']],
];

/** Every static check, in parallel. Each step with its name, output and whether it failed. */
export function check() {
  return Promise.all(
    STEPS.map(async ([name, args]) => {
      const { status, output } = await run(args);
      return { name, output, failed: status !== 0 };
    }),
  );
}

/** Prints the results. Returns the names of the failed steps. */
export function reportCheck(results) {
  for (const { name, output, failed } of results) {
    process.stderr.write(`check: ${name}: ${failed ? 'failed' : 'fine'}\n`);
    if (failed) process.stderr.write(output);
  }
  return results.filter(({ failed }) => failed).map(({ name }) => name);
}

function run(args) {
  return new Promise((resolve) => {
    const [program, ...rest] =
      args[0] === 'node' ? [process.execPath, ...args.slice(1)] : ['npx', '--no-install', ...args];
    const child = spawn(program, rest, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', (error) => resolve({ status: 1, output: `${error.message}\n` }));
    child.on('close', (status) => resolve({ status, output }));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  install({ tests: true });
  const failed = reportCheck(await check());
  if (failed.length > 0) process.stderr.write(`check failed: ${failed.join('; ')}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
