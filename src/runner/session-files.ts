import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SessionFilesOptions {
  dir: string;
  name: string;
  blueprint: string | null;
  logging: boolean;
  cwd: string;
  sessionId: string;
  now?: () => Date;
}

/**
 * Files for other scripts: `{name}.meta.json`, written before the client starts and again when its session is known, `{name}.jsonl` with
 * every message, and `{name}.log` on request.
 */
export class SessionFiles {
  readonly #options: SessionFilesOptions;

  constructor(options: SessionFilesOptions) {
    this.#options = options;
    mkdirSync(options.dir, { recursive: true });
  }

  begin({ isResumed }: { isResumed: boolean }): void {
    const { name, blueprint, cwd, sessionId } = this.#options;
    const at = this.#now();
    const known = isResumed ? this.#read() : undefined;
    this.#write({
      session_name: name,
      session_id: isResumed ? sessionId : null,
      agent: blueprint,
      project_dir: cwd,
      created_at: known?.created_at ?? at,
      last_resumed_at: isResumed ? at : null,
      status: 'running',
    });
    this.#log(isResumed ? `resumed ${name}` : `started ${name}`);
  }

  /** The second stage: the session exists. */
  ready(sessionId: string): void {
    this.#write({ ...this.#read(), session_id: sessionId });
    this.#log(`session ${sessionId}`);
  }

  message(message: unknown): void {
    appendFileSync(this.#path('jsonl'), `${JSON.stringify(message)}\n`);
    const type = (message as { type?: string; subtype?: string }).type ?? 'message';
    this.#log(type);
  }

  end(): void {
    this.#write({ ...this.#read(), status: 'finished' });
    this.#log('ended');
  }

  #read(): Record<string, unknown> | undefined {
    const path = this.#path('meta.json');
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>) : undefined;
  }

  #write(meta: Record<string, unknown>): void {
    const path = this.#path('meta.json');
    writeFileSync(`${path}.new`, `${JSON.stringify(meta, null, 2)}\n`);
    renameSync(`${path}.new`, path);
  }

  #log(text: string): void {
    if (this.#options.logging) appendFileSync(this.#path('log'), `${this.#now()} ${text}\n`);
  }

  #path(extension: string): string {
    return join(this.#options.dir, `${this.#options.name}.${extension}`);
  }

  #now(): string {
    return (this.#options.now?.() ?? new Date()).toISOString();
  }
}
