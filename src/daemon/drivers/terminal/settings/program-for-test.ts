import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { tempDir } from './temp-dir-for-test.ts';

/** Turns this source into a program Node can run, for tests that have to kill one. Imports are relative to this folder. */
export async function makeProgram(source: string): Promise<string> {
  const folder = tempDir('program');
  const input = join(folder, 'program.ts');
  const file = join(folder, 'program.mjs');
  writeFileSync(
    input,
    source.replaceAll(/'(\.{1,2}\/.+?\.ts)'/g, (_, name) => JSON.stringify(join(import.meta.dirname, name))),
  );
  const resolve = { mainFields: ['module', 'main'] };
  await build({ input, platform: 'node', resolve, output: { file, format: 'esm' }, logLevel: 'silent' });
  return file;
}

/** Starts it and waits for its first output. */
export async function startProgram(file: string, ...args: string[]): Promise<{ program: ChildProcess; said: string }> {
  const program = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(program, 'exit').then(() => Promise.reject(new Error('The program ended by itself')));
  const [said] = await Promise.race([once(program.stdout, 'data'), ended]);
  ended.catch(() => undefined);
  return { program, said: String(said) };
}

export async function killProgram(program: ChildProcess): Promise<void> {
  program.kill('SIGKILL');
  if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
}
