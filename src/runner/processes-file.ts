import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUNNER_FILES } from '../contract/runner-names.ts';
import type { RunnerProcess, RunnerProcesses } from '../contract/runners.ts';

/** The processes of a runner. The daemon reads it to identify callers, and to know what to end if the runner is killed. */
export class ProcessesFile {
  readonly #path: string;
  readonly #processes: RunnerProcesses;

  constructor(dir: string, { bootId, pid, start }: RunnerProcess & { bootId: string }) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.#path = join(dir, RUNNER_FILES.processes);
    this.#processes = { bootId, runner: { pid, start }, clients: [] };
    this.#save();
  }

  add(process: RunnerProcess): void {
    this.#processes.clients.push(process);
    this.#save();
  }

  #save(): void {
    writeFileSync(`${this.#path}.new`, JSON.stringify(this.#processes), { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
  }
}
