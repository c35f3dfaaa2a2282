import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';

export interface DataDirOption {
  dataDir: string;
}

const DEFAULT_PORT = 8765;

export function dataDirOption(): Option {
  const fallback = process.env.GROUNDCONTROL_HOME || join(homedir(), '.groundcontrol');
  return new Option('--data-dir <dir>', 'where Ground Control keeps its data')
    .default(resolve(fallback))
    .argParser((path) => resolve(path));
}

export function portOption(): Option {
  return new Option('--port <port>', 'port to listen on (0: any free one)').default(defaultPort()).argParser(parsePort);
}

/** A wrong variable is said when it is used, not when some other command runs. */
export function defaultPort(): number {
  const given = process.env.GROUNDCONTROL_PORT;
  return given ? parsePort(given) : DEFAULT_PORT;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError(`${JSON.stringify(text)} is not a port (0 to 65535).`);
}

export function claudeConfigDir(): string {
  return resolve(process.env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude'));
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON for scripts');
}
