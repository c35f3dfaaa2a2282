import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { CliError, EXIT } from './exit.ts';

/** Settings in `.groundcontrol/config.json`, in a project or in the data dir. */
const SettingsFile = z
  .object({
    projectDir: z.string().min(1).optional(),
    sessionsDir: z.string().min(1).optional(),
    agentsDir: z.string().min(1).optional(),
    observabilityUrl: z.url().optional(),
    observabilityEnabled: z.boolean().optional(),
    enableLogging: z.boolean().optional(),
    approvalTimeout: z.number().int().positive().optional(),
  })
  .strict();
type SettingsFile = z.infer<typeof SettingsFile>;

export interface OrchestratorSettings extends Omit<SettingsFile, 'projectDir'> {
  projectDir: string;
}

const PREFIX = 'AGENT_ORCHESTRATOR_';

/** Precedence: flag, environment, the project's file, the data dir's file. */
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
  try {
    return SettingsFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new CliError(`${path} can't be used: ${why}`, EXIT.usage);
  }
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
