import { existsSync } from 'node:fs';
import type { StrictProject } from '../../../../contract/projects.ts';
import { DomainError } from '../../../errors.ts';
import { FileChanges } from '../settings/file-changes.ts';
import { RestoreLimit } from '../settings/restore-limit.ts';

const POLL_MS = 1000;

export interface StrictWatchOptions {
  onNews: (news: 'restored' | 'lost' | 'contested', detail: string) => void;
  now: () => number;
  onError: (error: unknown) => void;
}

export interface StrictWatch {
  stop(): void;
  /** A person wants the entry back. */
  reset(path: string): void;
}

interface Projects {
  paths: () => string[];
  fileOf: (path: string) => string;
  check: (path: string) => StrictProject;
  write: (path: string) => Promise<void>;
}

/** Keeps our entry in strict projects' settings, unless something keeps removing it. */
export function watchStrict(options: StrictWatchOptions & Projects): StrictWatch {
  const { paths, fileOf, check, write, onNews, now, onError } = options;
  const changes = new FileChanges();
  const limits = new Map<string, RestoreLimit>();
  let looking = false;

  async function lookAtAll(): Promise<void> {
    for (const path of paths()) {
      if (existsSync(path) && changes.hasChanged(fileOf(path)) && check(path).state === 'broken') await restore(path);
    }
  }

  async function restore(path: string): Promise<void> {
    const limit = limits.get(path) ?? new RestoreLimit(now);
    limits.set(path, limit);
    if (limit.isReached) return;
    const { detail } = check(path);
    if (!limit.allow()) {
      onNews(
        'contested',
        `Another program keeps removing Ground Control's entry from ${fileOf(path)}, so it is no longer restored.`,
      );
      return;
    }
    try {
      await write(path);
      changes.hasChanged(fileOf(path));
      onNews('restored', `${detail} Another program had changed the file, so it was restored.`);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      onNews('lost', error.message);
    }
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    lookAtAll()
      .catch(onError)
      .finally(() => {
        looking = false;
      });
  }, POLL_MS);
  return { stop: () => clearInterval(timer), reset: (path) => limits.get(path)?.reset() };
}
