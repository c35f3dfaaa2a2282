import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { Credentials, DaemonFile, Preferences } from '../contract/daemon.ts';
import { DATA_FILES } from '../contract/data-files.ts';
import { Machine } from '../contract/machines.ts';
import { newToken } from './access/devices.ts';
import { HOOK_TOKEN_HEADER } from './access/guard.ts';
import { DomainError } from './errors.ts';
import { tryLock } from './journal/sqlite.ts';
import { readOwnFile, replaceFile } from './own-files.ts';

export interface Setting<T> {
  get(): T;
  set(value: T): void;
}

/** The daemon's folder. Only its owner can read it, so a reader is the operator. */
export class DataDir {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Created on the first write: reading leaves no trace. */
  make(): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    if ((statSync(this.path).mode & 0o077) === 0) return;
    // Restricting someone's working folder, or /tmp, would do harm.
    const isOurs = existsSync(this.file(DATA_FILES.credentials)) || readdirSync(this.path).length === 0;
    if (!isOurs) throw new NotPrivate(this.path);
    chmodSync(this.path, 0o700);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** One daemon per data dir. undefined: another one is running. */
  lock(): { release(): void } | undefined {
    this.make();
    this.refuseLinks();
    return tryLock(this.file('daemon.lock'));
  }

  /** A link could make us write keys where others read them, or read what others wrote. The folder itself may be one. */
  refuseLinks(): void {
    const entries = readdirSync(this.path, { withFileTypes: true });
    const inFolders = entries.filter((one) => one.isDirectory() && OWN_FOLDERS.includes(one.name));
    const nested = inFolders.flatMap(({ name }) => readdirSync(this.file(name), { withFileTypes: true }));
    const link = [...entries, ...nested].find((one) => one.isSymbolicLink());
    if (link) throw new LinkedFile(join(link.parentPath, link.name));
  }

  knownCredentials(): Credentials | undefined {
    return this.#read(DATA_FILES.credentials, Credentials);
  }

  credentials(): Credentials {
    const known = this.knownCredentials();
    const credentials = known ?? { hookToken: newToken(), localToken: newToken() };
    if (!known) this.#write(DATA_FILES.credentials, credentials);
    this.#keepTokenFile(credentials.hookToken);
    return credentials;
  }

  /** The hook token in a file for curl, so it appears in no command line. */
  get tokenFile(): string {
    return resolve(this.file(DATA_FILES.hookToken));
  }

  #keepTokenFile(token: string): void {
    const text = `header = "${HOOK_TOKEN_HEADER}: ${token}"\n`;
    const path = this.tokenFile;
    if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
    this.#replace(DATA_FILES.hookToken, text);
  }

  /** Created once. Distinguishes sessions of this data dir from those of other machines. */
  machine(): Machine {
    const known = this.#read(DATA_FILES.machine, Machine);
    if (known) return known;
    const machine = { id: `m-${randomBytes(8).toString('hex')}`, name: hostname() };
    this.#write(DATA_FILES.machine, machine);
    return machine;
  }

  preferences(): Preferences {
    return this.#read(DATA_FILES.preferences, Preferences) ?? Preferences.parse({});
  }

  savePreferences(changes: Partial<Preferences>): void {
    this.#write(DATA_FILES.preferences, { ...this.preferences(), ...changes });
  }

  /** One preference, read from the file each time. */
  setting<Name extends keyof Preferences>(name: Name): Setting<Preferences[Name]> {
    return {
      get: () => this.preferences()[name],
      set: (value) => this.savePreferences({ [name]: value }),
    };
  }

  saveRulesBackup(text: string): void {
    this.#replace(DATA_FILES.rulesBackup, text);
  }

  daemonFile(): DaemonFile | undefined {
    return this.#read(DATA_FILES.daemon, DaemonFile);
  }

  announce(daemon: DaemonFile): void {
    this.#write(DATA_FILES.daemon, daemon);
  }

  withdraw(): void {
    rmSync(this.file(DATA_FILES.daemon), { force: true });
  }

  /** A file of one part of the daemon. An unreadable one counts as missing, since it is only an optimization. */
  readOwn<T extends z.ZodType>(name: string, schema: T): z.infer<T> | undefined {
    try {
      return this.#read(name, schema);
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }

  writeOwn(name: string, value: unknown): void {
    this.#write(name, value);
  }

  #read<T extends z.ZodType>(name: string, schema: T): z.infer<T> | undefined {
    const path = this.file(name);
    if (!existsSync(path)) return undefined;
    try {
      return schema.parse(JSON.parse(readOwnFile(path)));
    } catch (error) {
      throw new DomainError(
        'data_dir.bad_file',
        500,
        `${path} can't be read (${(error as Error).message}). Fix it, or delete it to start over.`,
      );
    }
  }

  #write(name: string, value: unknown): void {
    this.#replace(name, `${JSON.stringify(value, null, 2)}\n`);
  }

  #replace(name: string, text: string): void {
    this.make();
    const path = this.file(name);
    replaceFile(path, text);
  }
}

/** Folders of the data dir that hold keys. */
const OWN_FOLDERS = ['tls'];

class LinkedFile extends DomainError {
  constructor(path: string) {
    super(
      'data_dir.link',
      409,
      `${path} is a link, and Ground Control uses only files of its own. Remove it, or move the whole folder with --data-dir.`,
    );
  }
}

class NotPrivate extends DomainError {
  constructor(path: string) {
    super(
      'data_dir.not_private',
      409,
      `${path} contains other files and other users can read it. Choose a separate folder: --data-dir ${join(path, 'groundcontrol')}`,
    );
  }
}
