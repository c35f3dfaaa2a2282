import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const fast = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src/daemon/transcripts/usage/fast');
const made = join(fast, 'scanner.wasm.ts');

/** `scanner.wasm.ts`, compiled from `assembly/`. It is committed because the compiler takes 100 MB and is only installed for tests. */
async function compileScanner() {
  let binary;
  const options = [
    '-O3',
    '--noAssert',
    '--enable',
    'simd',
    '--runtime',
    'minimal',
    '--use',
    'abort=',
    '--outFile',
    'scan.wasm',
  ];
  const { error, stderr } = await asc.main(['scan.ts', ...options, '--baseDir', '.'], {
    readFile(name, baseDir) {
      try {
        return readFileSync(join(fast, 'assembly', baseDir, name), 'utf8');
      } catch (failure) {
        if (failure.code === 'ENOENT') return null;
        throw failure;
      }
    },
    writeFile(_name, contents) {
      binary = Buffer.from(contents);
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`${error.message}\n${stderr}`);
  const lines = binary.toString('base64').match(/.{1,110}/g);
  return `// Made by scripts/compile-scanner.mjs from assembly/*.ts. Don't edit it.
export const SCANNER = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('');
`;
}

const source = await compileScanner();
if (process.argv.includes('--print')) process.stdout.write(source);
else writeFileSync(made, source);
