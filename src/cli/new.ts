import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PERMISSION_MODES } from '../contract/blueprints.ts';
import { type OrchestratedSession, RUNNER_DRIVERS, type StartRequest } from '../contract/orchestration.ts';
import { startSession } from '../contract/routes/orchestration.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError, EXIT } from './exit.ts';
import { type OrchestratorSettings, readOrchestratorSettings } from './orchestrator-settings.ts';
import { oneLine, paint, print, printJson } from './output.ts';
import { collectParameters, readParameters } from './parameters.ts';
import { showOutcome } from './session-outcome.ts';

export interface NewOptions extends DataDirOption {
  prompt?: string;
  agent?: string;
  driver?: (typeof RUNNER_DRIVERS)[number];
  cwd?: string;
  worktree?: string | true;
  wait?: boolean;
  model?: string;
  permissionMode?: (typeof PERMISSION_MODES)[number];
  allow: string[];
  deny: string[];
  param: string[];
  maxCost?: number;
  maxTokens?: number;
  maxMinutes?: number;
  after: string[];
  priority?: number;
  at?: number;
  resultSchema?: string;
  consent?: string;
  json?: boolean;
}

export function addNew(program: Command): void {
  withJson(program.command('new [name]'))
    .description('start a session in the background')
    .option('-p, --prompt <text>', 'what to do (default: read from stdin)')
    .option('--agent <name>', 'blueprint to use (gctl agents)')
    .addOption(new Option('--driver <which>', 'agent to run').choices([...RUNNER_DRIVERS]))
    .option('--cwd <dir>', 'where it works (default: here)')
    .option('--worktree [base]', 'work in a new worktree, from this branch or commit (default: HEAD)')
    .option('--wait', 'wait for the answer and print it; Ctrl-C detaches')
    .option('--model <name>', 'model')
    .addOption(new Option('--permission-mode <mode>', 'permission mode').choices([...PERMISSION_MODES]))
    .option('--allow <tool>', 'allow without asking: Read, "Bash(npm test*)" (repeatable)', collect, [])
    .option('--deny <tool>', 'always refuse (repeatable)', collect, [])
    .option('--param <key=value>', "the blueprint's parameter, key:=json for JSON (repeatable)", collectParameters, [])
    .option('--max-cost <dollars>', 'ask before it costs more', parsePositive)
    .option('--max-tokens <n>', 'ask before it uses more tokens', parsePositive)
    .option('--max-minutes <n>', 'ask before it works longer', parsePositive)
    .option('--after <name>', 'start when this session has succeeded (repeatable)', collect, [])
    .option('--priority <n>', 'higher starts first', parseWhole)
    .option('--at <time>', 'start at this time: 2026-01-31T22:00, or 22:00', parseTime)
    .option('--result-schema <file>', 'JSON Schema for the answer')
    .option('--consent <fingerprint>', "approve the MCP servers and permissions in a project's blueprint")
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl new fix-login -p "Fix the login test" --allow "Bash(npm test*)"\n  gctl new review --agent reviewer --param branch=main --wait\n  gctl new night --worktree --max-cost 2 < task.md',
    )
    .action(async (name: string | undefined, options: NewOptions) => {
      const api = await connect(options.dataDir, { demo: false });
      const session = await api.call(startSession, { body: await toRequest(name, options) });
      if (options.wait) return showOutcome(api, session, options.json ? { json: true } : {});
      announce(session, options.json);
    });
}

export function announce(session: OrchestratedSession, json: boolean | undefined): void {
  if (json) {
    printJson(session);
    return;
  }
  const { name, lifecycle, waitsFor, id } = session;
  print(
    `${paint('bold', name)}  ${lifecycle.replaceAll('_', ' ')}${waitsFor ? `: ${oneLine(waitsFor)}` : ''}  ${paint('dim', id)}`,
  );
  print(paint('dim', `Follow it: gctl logs -f ${name}   Wait: gctl wait ${name}   Stop: gctl stop ${name}`));
}

async function toRequest(name: string | undefined, options: NewOptions): Promise<StartRequest> {
  const settings = await readOrchestratorSettings(options);
  const { agent, driver, worktree, model, permissionMode, allow, deny, param, after, priority, at, consent } = options;
  const budget = withoutUndefined({ dollars: options.maxCost, tokens: options.maxTokens, minutes: options.maxMinutes });
  return {
    ...withoutUndefined({ name, driver, blueprint: agent, model, permissionMode, priority, startAt: at, consent }),
    cwd: settings.projectDir,
    prompt: await readPrompt(options.prompt),
    // only the daemon knows the blueprint's schema, and a value that looks like JSON may be meant as text
    parameters: readParameters(param, undefined),
    allowedTools: allow,
    deniedTools: deny,
    after,
    ...(worktree === undefined ? {} : { worktree: worktree === true ? {} : { base: worktree } }),
    ...(Object.keys(budget).length > 0 ? { budget } : {}),
    ...(options.resultSchema === undefined ? {} : { resultSchema: readSchema(options.resultSchema) }),
    ...filesOf(settings),
  };
}

/** Where the session's files go, and where its blueprint may be. */
export function filesOf({ sessionsDir, agentsDir, enableLogging, approvalTimeout }: OrchestratorSettings) {
  return withoutUndefined({ sessionsDir, agentsDir, logging: enableLogging, approvalTimeoutSeconds: approvalTimeout });
}

/** From the arguments, or from a pipe. */
export async function readPrompt(given: string | undefined): Promise<string> {
  const prompt = given ?? (process.stdin.isTTY ? '' : await text(process.stdin));
  if (prompt.trim() === '') throw new CliError('Enter a prompt: -p "…", or pipe it in.', EXIT.usage);
  return prompt.trim();
}

function readSchema(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(resolve(path), 'utf8'));
  } catch (error) {
    throw new CliError(`Can't use ${path} as a schema: ${(error as Error).message}`, EXIT.usage);
  }
}

export const collect = (value: string, known: string[]): string[] => [...known, value];

export function parsePositive(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0) return value;
  throw new InvalidArgumentError(`${JSON.stringify(text)} isn't a number above 0.`);
}

function parseWhole(text: string): number {
  if (/^-?\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`${JSON.stringify(text)} isn't a whole number.`);
}

/** A time of day means its next occurrence. */
function parseTime(text: string): number {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  if (hours !== undefined && Number(hours) < 24 && Number(minutes) < 60) {
    const at = new Date();
    at.setHours(Number(hours), Number(minutes), 0, 0);
    if (at.getTime() <= Date.now()) at.setDate(at.getDate() + 1);
    return at.getTime();
  }
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError(`${JSON.stringify(text)} isn't a time. Use 22:00 or 2026-01-31T22:00.`);
}

function withoutUndefined<T extends object>(record: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const given = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]: Exclude<T[K], undefined> };
}
