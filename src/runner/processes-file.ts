import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUNNER_FILES } from '../contract/runner-names.ts';
import type { RunnerProcess, RunnerProcesses } from '../contract/runners.ts';
import { ownIdentity } from './identity.ts';

/** Which processes belong to this runner, on the disk before they do anything: if it is killed, they are found and ended. */
export class ProcessesFile {
  readonly boot = ownIdentity();
  readonly #path: string;
  readonly #clients: RunnerProcess[] = [];

  constructor(dir: string) {
    this.#path = join(dir, RUNNER_FILES.processes);
  }

  note(client: RunnerProcess): void {
    this.#clients.push(client);
    this.save();
  }

  save(): void {
    const { pid, start, bootId } = this.boot;
    const processes: RunnerProcesses = { bootId, runner: { pid, start }, clients: this.#clients };
    writeFileSync(`${this.#path}.new`, JSON.stringify(processes), { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
  }
}
