import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CliError, EXIT } from './exit.ts';
import type { SettingsFile } from './read-settings-file.ts';

export interface OrchestratorSettings extends Omit<SettingsFile, 'projectDir'> {
  projectDir: string;
}

const PREFIX = 'AGENT_ORCHESTRATOR_';

/** Precedence: flag, environment, the project's file, the data dir's file. */
export async function readOrchestratorSettings(
  flags: { cwd?: string | undefined; dataDir: string },
  env: NodeJS.ProcessEnv = process.env,
): Promise<OrchestratorSettings> {
  const user = await readSettings(join(flags.dataDir, 'config.json'));
  const fromEnv = ofEnvironment(env);
  const start = resolve(flags.cwd ?? fromEnv.projectDir ?? '.');
  const project = await readSettings(findUp(start, join('.groundcontrol', 'config.json')));
  const merged = { ...user, ...project, ...fromEnv };
  const projectDir = flags.cwd ?? merged.projectDir ?? '.';
  return { ...merged, ...absolute(merged, ['sessionsDir', 'agentsDir']), projectDir: resolve(projectDir) };
}

function ofEnvironment(env: NodeJS.ProcessEnv): SettingsFile {
  const text = (name: string) => env[PREFIX + name] || undefined;
  return withoutUndefined({
    projectDir: text('PROJECT_DIR'),
    sessionsDir: text('SESSIONS_DIR'),
    agentsDir: text('AGENTS_DIR'),
    observabilityUrl: text('OBSERVABILITY_URL'),
    observabilityEnabled: toBoolean('OBSERVABILITY_ENABLED', text('OBSERVABILITY_ENABLED')),
    enableLogging: toBoolean('ENABLE_LOGGING', text('ENABLE_LOGGING')),
    approvalTimeout: toSeconds('APPROVAL_TIMEOUT', text('APPROVAL_TIMEOUT')),
  });
}

function toBoolean(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  if (/^(false|0|no|off)$/i.test(text)) return false;
  throw new CliError(`${PREFIX}${name} is ${JSON.stringify(text)}. Use true or false.`, EXIT.usage);
}

function toSeconds(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text);
  throw new CliError(`${PREFIX}${name} is ${JSON.stringify(text)}. Use a whole number of seconds.`, EXIT.usage);
}

/** Few people have such a file, and checking one takes as long to load as the rest of a command. */
async function readSettings(path: string | undefined): Promise<SettingsFile> {
  if (path === undefined || !existsSync(path)) return {};
  return (await import('./read-settings-file.ts')).readSettingsFile(path);
}

function findUp(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return join(folder, name);
    if (folder === dirname(folder)) return undefined;
  }
}

function absolute<K extends keyof SettingsFile>(settings: SettingsFile, keys: K[]): SettingsFile {
  const given = keys.filter((key) => typeof settings[key] === 'string');
  return Object.fromEntries(given.map((key) => [key, resolve(settings[key] as string)]));
}

function withoutUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
