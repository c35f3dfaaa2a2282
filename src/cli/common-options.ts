import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CliError, EXIT } from './exit.ts';

export interface DataDirOption {
  dataDir: string;
}

const DEFAULT_PORT = 8765;

export function dataDirOption(): Option {
  return new Option('--data-dir <dir>', 'data dir').default(defaultDataDir()).argParser((path) => resolve(path));
}

export function defaultDataDir(): string {
  return resolve(process.env.GROUNDCONTROL_HOME || homeDataDir());
}

const homeDataDir = (): string => join(homedir(), '.groundcontrol');

export function isHomeDataDir(dataDir: string): boolean {
  return dataDir === homeDataDir();
}

export function portOption({ fallback = `GROUNDCONTROL_PORT or ${DEFAULT_PORT}` } = {}): Option {
  const description = `port to listen on, 0 for any free one (default: ${fallback})`;
  return new Option('--port <port>', description).argParser((text) => {
    const port = toPort(text);
    if (port === undefined) throw new InvalidArgumentError(NOT_A_PORT);
    return port;
  });
}

/** Validated where it is used, so a bad value doesn't break other commands. */
export function defaultPort(): number {
  const given = process.env.GROUNDCONTROL_PORT;
  const port = given ? toPort(given) : DEFAULT_PORT;
  if (port !== undefined) return port;
  throw new CliError(`GROUNDCONTROL_PORT is ${JSON.stringify(given)}. ${NOT_A_PORT}`, EXIT.usage);
}

const NOT_A_PORT = 'A port is a number from 0 to 65535.';

function toPort(text: string): number | undefined {
  const port = Number(text);
  return /^\d+$/.test(text) && port <= 65_535 ? port : undefined;
}

export function claudeConfigDir(): string {
  return resolve(process.env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude'));
}

/** CLAUDE_CONFIG_DIR may name several, separated by commas; a reader uses all of them. */
export function claudeConfigDirs(): string[] {
  const named = (process.env.CLAUDE_CONFIG_DIR ?? '').split(',').map((dir) => dir.trim());
  const dirs = named.filter((dir) => dir !== '').map((dir) => resolve(dir));
  return dirs.length > 0 ? dirs : [claudeConfigDir()];
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON');
}

/** The folders as sessions report them: absolute and without links. */
export function toProjects(folders: readonly string[] = []): string[] {
  return folders.map((folder) => {
    if (existsSync(folder)) return realpathSync(folder);
    throw new CliError(`There is no folder ${resolve(folder)}.`, EXIT.usage);
  });
}
