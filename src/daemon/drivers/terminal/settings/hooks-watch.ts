import { DomainError } from '../../../errors.ts';
import { findListener } from '../keeper/orphaned-hooks.ts';
import { FileChanges } from './file-changes.ts';
import { type HookStatus, type HookTarget, hookStatus, registerHooks } from './registrar.ts';
import { RestoreLimit } from './restore-limit.ts';
import { settingsPath } from './settings-file.ts';

const POLL_MS = 1000;

/** `recovered`: they are back, and not because of us. */
export type HooksNews = 'restored' | 'lost' | 'contested' | 'recovered';

export interface HooksWatchOptions {
  configDir: string;
  /** What should be in the settings. undefined: nothing, by the user's choice. */
  wanted: () => HookTarget | undefined;
  onNews: (news: HooksNews, detail: string) => void;
  now: () => number;
  onError: (error: unknown) => void;
}

/**
 * Keeps our hooks in the settings: a dotfiles checkout, an editor or another program may remove them at any time, and then no session is
 * visible. Restores them, unless another daemon has taken over the settings or something keeps removing them.
 */
export class HooksWatch {
  readonly #options: HooksWatchOptions;
  readonly #changes = new FileChanges();
  readonly #limit: RestoreLimit;
  #timer: NodeJS.Timeout | undefined;
  #checking = false;
  #isStopped = false;
  #isLost = false;

  constructor(options: HooksWatchOptions) {
    this.#options = options;
    this.#limit = new RestoreLimit(options.now);
  }

  start(): void {
    this.#timer = setInterval(() => {
      if (this.#checking) return;
      this.#checking = true;
      this.check()
        .catch(this.#options.onError)
        .finally(() => {
          this.#checking = false;
        });
    }, POLL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#isStopped = true;
  }

  /** Something keeps removing them, and we stopped restoring them. */
  get isContested(): boolean {
    return this.#limit.isReached;
  }

  /** The user wants them there, so earlier removals are forgotten. */
  reset(): void {
    this.#limit.reset();
    this.#isLost = false;
  }

  async check(): Promise<void> {
    const { configDir, wanted } = this.#options;
    const path = settingsPath(configDir);
    const target = wanted();
    if (!target || !this.#changes.hasChanged(path)) return;
    const status = hookStatus(target);
    if (status.state === 'installed')
      return status.fix ? this.#tellLost(status.detail) : this.#tellRecovered(status.detail);
    // The file is half written or broken: check again until it is readable.
    if (status.state === 'invalid') {
      this.#changes.forget(path);
      return this.#tellLost(status.detail);
    }
    if (status.state === 'stale' && (await this.#isTakenOver(status, target))) return this.#tellLost(status.detail);
    this.#restore(target, status);
  }

  /** From a live daemon. A dead one's hooks came back with an old version of the file. */
  async #isTakenOver({ ports }: HookStatus, { port }: HookTarget): Promise<boolean> {
    const others = ports.filter((one) => one !== port).map((one) => ({ port: one }));
    return (await findListener(others)) !== undefined;
  }

  #restore(target: HookTarget, { path, detail }: HookStatus): void {
    // The user may have declined, or we may be shutting down, while we checked who is listening.
    if (!this.#options.wanted() || this.#isStopped) return;
    if (!this.#limit.allow()) {
      this.#tellContested(path);
      return;
    }
    try {
      registerHooks(target);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#tellLost(error.message);
      return;
    }
    this.#isLost = false;
    this.#changes.hasChanged(path);
    this.#options.onNews('restored', `${detail} Another program had changed the file, so they were restored.`);
  }

  #tellRecovered(detail: string): void {
    if (this.#isLost) this.#options.onNews('recovered', detail);
    this.#isLost = false;
  }

  #tellLost(detail: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#options.onNews('lost', detail);
  }

  #tellContested(path: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#options.onNews('contested', contested(path));
  }
}

export const contested = (path: string): string =>
  `Another program keeps removing Ground Control's hooks from ${path}, so they are no longer restored.`;
