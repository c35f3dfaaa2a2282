import { randomBytes } from 'node:crypto';
import nodeFs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isRunning } from '../../../../system/is-running.ts';
import { DomainError } from '../../../errors.ts';
import { SettingsInvalid } from './parse-settings.ts';

/** The node:fs functions in use, so a test can break any step. */
export type SettingsFs = Pick<
  typeof nodeFs,
  | 'accessSync'
  | 'closeSync'
  | 'fchmodSync'
  | 'fchownSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readdirSync'
  | 'readFileSync'
  | 'readlinkSync'
  | 'renameSync'
  | 'statSync'
  | 'unlinkSync'
  | 'writeFileSync'
>;

export class SettingsNotWritable extends DomainError {
  constructor(path: string, reason: string) {
    super('settings.not_writable', 409, `Can't write ${path}: ${reason}.`, { path });
  }
}

/** Writing through the link would leave an unexpected file in someone's dotfiles, or fail without its folder. */
export class SettingsLinkDangling extends DomainError {
  constructor(path: string, target: string) {
    super(
      'settings.dangling_link',
      409,
      `${path} is a link to ${target}, which does not exist. Create that file or remove the link.`,
      { path, target },
    );
  }
}

export class SettingsBusy extends DomainError {
  constructor(path: string) {
    super('settings.busy', 409, `${path} keeps changing while it is being edited. Try again in a moment.`, { path });
  }
}

/** The user's own settings, and a project's unshared ones. */
export type SettingsName = 'settings.json' | 'settings.local.json';

export const settingsPath = (configDir: string, name: SettingsName = 'settings.json'): string => join(configDir, name);
export const backupPath = (configDir: string, name?: SettingsName): string =>
  `${settingsPath(configDir, name)}.groundcontrol-backup`;

const ATTEMPTS = 5;
const TEMP_NAME = /^\.groundcontrol-(\d+)-[0-9a-f]+\.tmp$/;
const TEMP_LIFE_MS = 60_000;

/** Throws if the settings are a link to a missing file. */
export function checkLink(configDir: string): void {
  const path = settingsPath(configDir);
  const target = followLinks(path, nodeFs);
  if (target !== path && !statOf(target, nodeFs)) throw new SettingsLinkDangling(path, target);
}

/** undefined: no such file. */
export function readSettings(configDir: string, name?: SettingsName): string | undefined {
  return readText(settingsPath(configDir, name), nodeFs);
}

interface FileEdit {
  configDir: string;
  name?: SettingsName;
  /** Text in, text out; undefined for no file. Called again if the file changed meanwhile. */
  edit: (before: string | undefined) => string | undefined;
  /** Whether this text is the user's own, and so worth backing up. */
  isOriginal: (before: string) => boolean;
  fs?: SettingsFs | undefined;
}

/**
 * Replaces the settings in one step: readers see the old text or the new one, even if we crash. A link stays a link, mode and owner stay,
 * and the user's first text is kept beside it.
 */
export function editSettingsFile({ configDir, name, edit, isOriginal, fs = nodeFs }: FileEdit): { changed: boolean } {
  const path = settingsPath(configDir, name);
  const target = followLinks(path, fs);
  for (const folder of new Set([configDir, dirname(target)])) sweepTempFiles(folder, fs);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = readText(target, fs);
    const after = edit(before);
    if (after === before) return { changed: false };
    if (before === undefined && target !== path) throw new SettingsLinkDangling(path, target);
    makeConfigDir(configDir, fs);
    if (before !== undefined) {
      checkWritable(target, fs);
      if (isOriginal(before)) keepBackup(backupPath(configDir, name), { text: before, like: target }, fs);
    }
    if (swap(target, before, after, fs)) return { changed: true };
  }
  throw new SettingsBusy(path);
}

/** False: someone else wrote the file since it was read. */
function swap(target: string, before: string | undefined, after: string | undefined, fs: SettingsFs): boolean {
  const temp = after === undefined ? undefined : writeTemp(dirname(target), { text: after, like: target }, fs);
  if (readText(target, fs) !== before) {
    if (temp) fs.unlinkSync(temp);
    return false;
  }
  if (temp) fs.renameSync(temp, target);
  if (!temp) fs.unlinkSync(target);
  syncFolder(dirname(target), fs);
  return true;
}

function keepBackup(backup: string, file: { text: string; like: string }, fs: SettingsFs): void {
  if (statOf(backup, fs)) return;
  fs.renameSync(writeTemp(dirname(backup), file, fs), backup);
  syncFolder(dirname(backup), fs);
}

/** With the mode and owner of `like`; readable only by the owner if that doesn't exist, since it contains a token. */
function writeTemp(folder: string, { text, like }: { text: string; like: string }, fs: SettingsFs): string {
  const temp = join(folder, `.groundcontrol-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  const model = statOf(like, fs);
  const fd = openTemp(temp, like, fs);
  try {
    fs.writeFileSync(fd, text);
    if (model) copyOwner(fd, model, fs);
    if (model) fs.fchmodSync(fd, model.mode & 0o7777);
    fs.fsyncSync(fd);
    return temp;
  } catch (error) {
    fs.unlinkSync(temp);
    throw error;
  } finally {
    fs.closeSync(fd);
  }
}

function openTemp(temp: string, target: string, fs: SettingsFs): number {
  try {
    return fs.openSync(temp, 'wx', 0o600);
  } catch (error) {
    if (!isCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
    throw new SettingsNotWritable(target, `its folder is read-only (${error.code})`);
  }
}

function copyOwner(fd: number, model: nodeFs.Stats, fs: SettingsFs): void {
  const { uid, gid } = fs.fstatSync(fd);
  if (uid === model.uid && gid === model.gid) return;
  try {
    fs.fchownSync(fd, model.uid, model.gid);
  } catch (error) {
    // Only root may change a file's owner. Otherwise the new file is ours, as with any editor.
    if (!isCode(error, 'EPERM')) throw error;
  }
}

function checkWritable(target: string, fs: SettingsFs): void {
  try {
    fs.accessSync(target, nodeFs.constants.W_OK);
  } catch (error) {
    if (!isCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
    throw new SettingsNotWritable(target, `it is read-only (${error.code})`);
  }
}

/** The client creates its folder on first start. We create it only if its parent exists; otherwise the path is a mistake. */
function makeConfigDir(configDir: string, fs: SettingsFs): void {
  try {
    fs.mkdirSync(configDir, { mode: 0o700 });
  } catch (error) {
    if (isCode(error, 'EEXIST')) return;
    if (!isCode(error, 'ENOENT')) throw error;
    throw new SettingsNotWritable(configDir, "its folder doesn't exist; is CLAUDE_CONFIG_DIR correct?");
  }
}

function followLinks(path: string, fs: SettingsFs): string {
  let target = path;
  for (let hops = 0; hops < 40; hops++) {
    if (!statOf(target, fs, { link: true })?.isSymbolicLink()) return target;
    target = resolve(dirname(target), fs.readlinkSync(target));
  }
  throw new SettingsNotWritable(path, 'its links form a loop');
}

/** Leftovers of a run that was killed between writing and renaming. A run that may still be active keeps its own. */
function sweepTempFiles(folder: string, fs: SettingsFs): void {
  for (const name of listFolder(folder, fs)) {
    const pid = Number(name.match(TEMP_NAME)?.[1]);
    if (!pid) continue;
    const temp = join(folder, name);
    const age = Date.now() - (statOf(temp, fs)?.mtimeMs ?? 0);
    if (pid !== process.pid && isRunning(pid) && age < TEMP_LIFE_MS) continue;
    ifThere(() => fs.unlinkSync(temp));
  }
}

const listFolder = (folder: string, fs: SettingsFs): string[] => ifThere(() => fs.readdirSync(folder)) ?? [];

const statOf = (path: string, fs: SettingsFs, { link } = { link: false }): nodeFs.Stats | undefined =>
  ifThere(() => (link ? fs.lstatSync(path) : fs.statSync(path)));

/** A byte that isn't UTF-8 would change on rewriting, so such a file is refused. */
function readText(path: string, fs: SettingsFs): string | undefined {
  const bytes = ifThere(() => fs.readFileSync(path));
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SettingsInvalid({ file: path, line: 1, column: 1 }, 'it is not UTF-8 text,');
  }
}

/** The rename is safe without it; this makes it survive a power cut. Not every file system supports it. */
function syncFolder(folder: string, fs: SettingsFs): void {
  const fd = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(fd);
  } catch (error) {
    if (!isCode(error, 'EINVAL', 'ENOTSUP', 'EPERM')) throw error;
  } finally {
    fs.closeSync(fd);
  }
}

function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

const isCode = (error: unknown, ...codes: string[]): error is NodeJS.ErrnoException =>
  error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
