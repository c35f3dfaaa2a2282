import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../contract/parse-json.ts';
import { RUNNER_FILES } from '../../contract/runner-names.ts';

/** A client ends, or belongs to its session, well within this time. */
const FORGET_MS = 60_000;

/** Clients that are kept ready. Until a session takes one, it is no session, though its process and hooks look like one. */
export class SpareClients {
  readonly #parked: string;
  readonly #ids = new Set<string>();

  /** `runners`: the runners' folder, where a killed daemon may have left some that are still ending. */
  constructor({ configDir, runners }: { configDir: string; runners: string }) {
    this.#parked = join(configDir, 'spares', '/');
    for (const id of leftIn(runners)) {
      this.add(id);
      this.forgetSoon(id);
    }
  }

  add(sessionId: string): void {
    this.#ids.add(sessionId);
  }

  /** It ended, or was given to its session. */
  forgetSoon(sessionId: string): void {
    setTimeout(() => this.#ids.delete(sessionId), FORGET_MS).unref();
  }

  has({ sessionId, cwd }: { sessionId: string; cwd?: unknown }): boolean {
    // the Agent SDK parks a client that has no folder yet in one of its own
    return this.#ids.has(sessionId) || (typeof cwd === 'string' && cwd.startsWith(this.#parked));
  }
}

/** A spare has a spec, but never a file about its session's processes. */
function leftIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const spec = join(folder, name, RUNNER_FILES.spec);
    if (!existsSync(spec) || existsSync(join(folder, name, RUNNER_FILES.processes))) return [];
    const { sessionId } = (parseJson(readFileSync(spec, 'utf8')) ?? {}) as { sessionId?: string };
    return sessionId === undefined ? [] : [sessionId];
  });
}
