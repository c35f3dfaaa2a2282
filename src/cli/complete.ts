import { resolve } from 'node:path';
import type { Argument, Command, Option } from 'commander';
import type { Client } from '../client/client.ts';
import { listDevices } from '../contract/routes/access.ts';
import { listHistory } from '../contract/routes/history.ts';
import { listRules } from '../contract/routes/rules.ts';
import { listSessions } from '../contract/routes/sessions.ts';
import { findDaemon, findDemo } from './api.ts';
import { pendingApprovals } from './approvals.ts';
import { defaultDataDir } from './common-options.ts';
import { isExpected } from './exit.ts';

export interface Completion {
  value: string;
  description?: string;
}

type Found = Completion[] | 'files';

interface Position {
  command: Command;
  /** The option whose value comes next. */
  option: Option | undefined;
  /** How many arguments there already are. */
  argumentCount: number;
  dataDir: string;
}

/** Kept short: someone pressed Tab and is waiting. */
const PATIENCE_MS = 1000;
const FILE = /^(dir|file)$/;

/** Possible completions of the last word. */
export async function complete(program: Command, words: readonly string[]): Promise<Found> {
  const typed = words.at(-1) ?? '';
  const found = await offer(findPosition(program, words.slice(0, -1)), typed);
  return found === 'files' ? found : found.filter(({ value }) => value.startsWith(typed));
}

function findPosition(program: Command, words: readonly string[]): Position {
  const at: Position = { command: program, option: undefined, argumentCount: 0, dataDir: defaultDataDir() };
  for (const word of words) {
    const subcommand = at.argumentCount === 0 ? subcommands(at.command).find((one) => one.name() === word) : undefined;
    if (at.option) {
      if (at.option.long === '--data-dir') at.dataDir = resolve(word);
      at.option = undefined;
    } else if (word.startsWith('-')) {
      const known = at.command.options.find(({ long, short }) => long === word || short === word);
      if (known?.required) at.option = known;
    } else if (subcommand) at.command = subcommand;
    else at.argumentCount += 1;
  }
  return at;
}

async function offer({ command, option, argumentCount, dataDir }: Position, typed: string): Promise<Found> {
  if (option) return valuesOf(option, nameOf(option), { command, dataDir });
  if (typed.startsWith('-')) return visibleOptions(command);
  const commands = argumentCount === 0 ? subcommands(command).map(toCompletion) : [];
  const argument = argumentAt(command, argumentCount);
  const values = argument ? await valuesOf(argument, argument.name(), { command, dataDir }) : [];
  return values === 'files' ? values : [...commands, ...values];
}

function valuesOf(
  { argChoices }: Pick<Argument | Option, 'argChoices'>,
  name: string,
  { command, dataDir }: Pick<Position, 'command' | 'dataDir'>,
): Promise<Found> | Found {
  if (argChoices) return argChoices.map((value) => ({ value }));
  if (FILE.test(name)) return 'files';
  const source = name === 'session' ? anySession : name === 'id' ? IDS[command.name()] : undefined;
  return source ? ask(source, dataDir) : [];
}

/** `--session <id>` is about sessions, whatever the command. */
function nameOf({ long, flags }: Option): string {
  return long === '--session' ? 'session' : (/[<[](\w+)/.exec(flags)?.[1] ?? '');
}

function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[index] ?? (last?.variadic ? last : undefined);
}

const subcommands = (command: Command): Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');

const toCompletion = (command: Command): Completion => ({ value: command.name(), description: command.description() });

function visibleOptions(command: Command): Completion[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ value: long, description }] : []));
}

type Source = (api: Client) => Promise<Completion[]>;

async function liveSessions(api: Client): Promise<Completion[]> {
  const { sessions } = await api.call(listSessions);
  return sessions.map(({ id, title }) => ({ value: id.slice(0, 8), description: title }));
}

async function pastSessions(api: Client): Promise<Completion[]> {
  const { sessions } = await api.call(listHistory, { query: { limit: 50 } });
  return sessions.map(({ id, title }) => ({ value: id.slice(0, 8), description: title }));
}

async function anySession(api: Client): Promise<Completion[]> {
  const all = [...(await liveSessions(api)), ...(await pastSessions(api))];
  return [...new Map(all.map((one) => [one.value, one])).values()];
}

async function approvals(api: Client): Promise<Completion[]> {
  const { approvals: pending } = await pendingApprovals(api);
  return pending.map(({ id, toolName }) => ({ value: id.slice(0, 8), description: toolName }));
}

async function rules(api: Client): Promise<Completion[]> {
  const list = await api.call(listRules);
  return list.rules.map(({ id, decision, pattern }) => ({
    value: id.slice(0, 8),
    description: `${decision} ${pattern.toolName} ${Object.values(pattern.parameters).join(' ')}`,
  }));
}

async function devices(api: Client): Promise<Completion[]> {
  const list = await api.call(listDevices);
  return list.devices.map(({ id, name }) => ({ value: id.slice(0, 8), description: name }));
}

/** What a command's `<id>` refers to. */
const IDS: Record<string, Source> = {
  stop: liveSessions,
  tell: liveSessions,
  show: anySession,
  export: anySession,
  allow: approvals,
  deny: approvals,
  answer: approvals,
  release: approvals,
  undo: approvals,
  rm: rules,
  revoke: devices,
};

/** Nothing if no daemon answers: an error would land in the middle of the line being typed. */
async function ask(source: Source, dataDir: string): Promise<Completion[]> {
  try {
    const options = { patienceMs: PATIENCE_MS };
    const api = (await findDaemon(dataDir, options)) ?? (await findDemo(dataDir, options));
    return api ? await source(api) : [];
  } catch (error) {
    if (!isExpected(error)) throw error;
    return [];
  }
}
