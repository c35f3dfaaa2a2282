import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CliError, EXIT } from './exit.ts';

/** What `.groundcontrol/config.json` of a project or of the data dir may say. */
interface SettingsFile {
  projectDir?: string | undefined;
  sessionsDir?: string | undefined;
  agentsDir?: string | undefined;
  observabilityUrl?: string | undefined;
  observabilityEnabled?: boolean | undefined;
  enableLogging?: boolean | undefined;
  approvalTimeout?: number | undefined;
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isFlag = (value: unknown) => typeof value === 'boolean';

/** By hand, because `gctl new` waits for it and a schema library would take longer than all the rest. */
const FIELDS: Record<keyof SettingsFile, { isValid: (value: unknown) => boolean; wanted: string }> = {
  projectDir: { isValid: isText, wanted: 'a folder' },
  sessionsDir: { isValid: isText, wanted: 'a folder' },
  agentsDir: { isValid: isText, wanted: 'a folder' },
  observabilityUrl: { isValid: (value) => typeof value === 'string' && URL.canParse(value), wanted: 'a URL' },
  observabilityEnabled: { isValid: isFlag, wanted: 'true or false' },
  enableLogging: { isValid: isFlag, wanted: 'true or false' },
  approvalTimeout: {
    isValid: (value) => Number.isSafeInteger(value) && Number(value) > 0,
    wanted: 'a whole number of seconds',
  },
};

export interface OrchestratorSettings extends Omit<SettingsFile, 'projectDir'> {
  projectDir: string;
}

const PREFIX = 'AGENT_ORCHESTRATOR_';

/** A flag goes before the environment, that before the project's file, and that before the one of the data dir. */
export function readOrchestratorSettings(
  flags: { cwd?: string | undefined; dataDir: string },
  env: NodeJS.ProcessEnv = process.env,
): OrchestratorSettings {
  const user = readSettings(join(flags.dataDir, 'config.json'));
  const fromEnv = ofEnvironment(env);
  const start = resolve(flags.cwd ?? fromEnv.projectDir ?? '.');
  const project = readSettings(findUp(start, join('.groundcontrol', 'config.json')));
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

function readSettings(path: string | undefined): SettingsFile {
  if (path === undefined || !existsSync(path)) return {};
  const refuse = (why: string) => new CliError(`${path} can't be used: ${why}`, EXIT.usage);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw refuse((error as Error).message);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw refuse('it must be a JSON object.');
  for (const [name, value] of Object.entries(content)) {
    const field = FIELDS[name as keyof SettingsFile];
    if (!field) throw refuse(`"${name}" isn't a setting. There are: ${Object.keys(FIELDS).join(', ')}.`);
    if (!field.isValid(value)) throw refuse(`"${name}" must be ${field.wanted}, not ${JSON.stringify(value)}.`);
  }
  return content;
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
