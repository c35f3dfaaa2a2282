import { dirname, join } from 'node:path';
import { DATA_FILES } from '../../../../contract/data-files.ts';
import { ASK_PATH, HOOK_PATH, REWAKE_PATH } from '../../../../contract/routes/hooks.ts';
import { HOOK_TOKEN_HEADER } from '../../../access/guard.ts';
import { DomainError } from '../../../errors.ts';
import { ENTRYPOINT_HEADER, ENTRYPOINT_VARIABLE } from '../intake/entrypoint.ts';
import { askPersonCommand } from './ask-person-command.ts';
import { compareVersions } from './compare-versions.ts';
import { askCommand, type InHeadlessRuns, tellCommand, waitForPromptCommand } from './hook-commands.ts';
import { type HookEventName, type HookRegistration, hookEventNames, hookRegistration } from './hook-events.ts';

/** "Added HTTP hooks": the client's CHANGELOG under 2.1.63. Before that, one entry of this type invalidates the settings file. */
export const HTTP_HOOKS_SINCE = '2.1.63';

/** The first client whose hooks can wake the model (`asyncRewake`). Earlier ones ignore the exit code of a background hook. */
export const REWAKE_SINCE = '2.1.72';

/** An observer is answered at once. This is how long a hung daemon can delay a session per event. */
const OBSERVE_SECONDS = 5;
/**
 * A person may answer the next morning. The client's schema has no upper limit (it takes a positive number and counts in milliseconds, so a
 * timer overflows at 24 days), and it silently drops a hook that timed out. Measured: an answer after 400 s was still accepted.
 */
export const HELD_SECONDS = 86_400;
/** Only a backstop: curl gives up after 1 s. The client waits this long for SessionEnd when exiting. */
const COMMAND_SECONDS = 2;
/** Time for a stand-in to start, even on a slow machine. */
const STAND_IN_SECONDS = 10;

/** Shown in the client's spinner while one of our hooks runs. */
export const STATUS_MESSAGE = 'Ground Control';

export interface HttpHook {
  type: 'http';
  url: string;
  timeout: number;
  headers: Record<string, string>;
  /** What the client may expand where a header says `$NAME`. */
  allowedEnvVars?: string[];
  onFailure?: 'block';
  statusMessage: string;
}

export interface CommandHook {
  type: 'command';
  command: string;
  timeout: number;
  async?: true;
  asyncRewake?: true;
  /** Precedes the prompt in what the model reads. */
  rewakeMessage?: string;
  /** Shown in the terminal instead of the prompt. */
  rewakeSummary?: string;
  onFailure?: 'block';
  statusMessage: string;
}

export type Hook = HttpHook | CommandHook;

/** Without a matcher, it fires for everything. One on FileChanged would make the client watch files of that name. */
export interface HookGroup {
  matcher?: string;
  hooks: [Hook, ...Hook[]];
}

export type HookEntries = Partial<Record<HookEventName, HookGroup>>;

export interface HookEntriesOptions {
  port: number;
  token: string;
  /** The token for commands, in a file because everyone on the machine can read their arguments. */
  tokenFile: string;
  /** undefined: unknown, assumed to be current. */
  clientVersion?: string | undefined;
  /** False: none of our commands would get through. */
  hasCurl?: boolean | undefined;
  /** A session is being stopped, so also register the event that ends its turn after a failed tool. */
  isStopping?: boolean | undefined;
  /** `command` if the client would send HTTP hooks through a proxy. */
  form?: 'http' | 'command' | undefined;
  /**
   * A program to run when a hook finds nothing listening: it removes the hooks. With `--stand-in` it also answers in the daemon's place
   * until the client has noticed, and prints a line when it starts listening.
   */
  whenDaemonGone?: readonly string[] | undefined;
}

/** What to write under `hooks` in the client's settings, by event. */
export function hookEntries(options: HookEntriesOptions): HookEntries {
  checkToken(options.token);
  const { clientVersion } = options;
  const asCommands = options.form === 'command' || isBefore(clientVersion, HTTP_HOOKS_SINCE);
  const entries: HookEntries = {};
  for (const event of hookEventNames) {
    const registration = hookRegistration(event);
    if (registration.form === 'none' || isBefore(clientVersion, registration.since)) continue;
    if (registration.form === 'http' && registration.duringStops && (!options.isStopping || asCommands)) continue;
    const hook = asCommands ? hookAsCommand(event, registration, options) : hookOf(registration, options);
    const isWakeable = WAIT_AT.has(event) && !isBefore(clientVersion, REWAKE_SINCE);
    const matcher = matcherOf(registration, clientVersion);
    entries[event] = {
      ...(matcher === undefined ? {} : { matcher }),
      hooks: isWakeable ? [hook, promptHook(options)] : [hook],
    };
  }
  return entries;
}

export const isBefore = (clientVersion: string | undefined, version: string): boolean =>
  clientVersion !== undefined && compareVersions(clientVersion, version) < 0;

type Registered = Exclude<HookRegistration, { form: 'none' }>;

function matcherOf(registration: Registered, clientVersion: string | undefined): string | undefined {
  if (registration.form === 'ask') return undefined;
  const since = registration.form === 'command' ? registration.matcherSince : undefined;
  return since !== undefined && isBefore(clientVersion, since) ? undefined : registration.matcher;
}

function hookOf(registration: Registered, options: HookEntriesOptions): Hook {
  if (registration.form === 'command') {
    const standIn = registration.standIn === true;
    return tellHook(options, {
      standIn,
      inHeadlessRuns: standIn ? { skip: { daemonFile: daemonFileOf(options) } } : 'wait',
    });
  }
  if (registration.form === 'ask' && options.hasCurl !== false) return askHook(options);
  const url = hookUrl(options.port);
  const headers = { [HOOK_TOKEN_HEADER]: options.token };
  return registration.form === 'ask' || registration.held
    ? { type: 'http', url, timeout: HELD_SECONDS, ...tellEntrypoint(headers), statusMessage: STATUS_MESSAGE }
    : { type: 'http', url, timeout: OBSERVE_SECONDS, headers, statusMessage: STATUS_MESSAGE };
}

/** How long a request may be held depends on whether its client has a terminal. */
export function tellEntrypoint(headers: Record<string, string>): Pick<HttpHook, 'headers' | 'allowedEnvVars'> {
  return {
    headers: { ...headers, [ENTRYPOINT_HEADER]: `$${ENTRYPOINT_VARIABLE}` },
    allowedEnvVars: [ENTRYPOINT_VARIABLE],
  };
}

/**
 * In the background, so the process doesn't slow the session down. But a session's start and end stay in order, and events the operator may
 * be asked about wait for the answer.
 */
function hookAsCommand(event: HookEventName, registration: Registered, options: HookEntriesOptions): CommandHook {
  if (registration.form === 'ask') return askHook(options);
  if (registration.form === 'http' && registration.held) {
    const { port, ...rest } = options;
    const command = askCommand({ ...rest, url: hookUrl(port), seconds: HELD_SECONDS });
    return { type: 'command', command, timeout: HELD_SECONDS, statusMessage: STATUS_MESSAGE };
  }
  const inOrder = event === 'SessionStart' || event === 'SessionEnd';
  const observer = tellHook(options, { standIn: false });
  return inOrder ? observer : { ...observer, async: true };
}

/** Both are files in the data dir. */
const daemonFileOf = ({ tokenFile }: Pick<HookEntriesOptions, 'tokenFile'>): string =>
  join(dirname(tokenFile), DATA_FILES.daemon);

const askHook = ({ port, tokenFile }: HookEntriesOptions): CommandHook => ({
  type: 'command',
  command: askPersonCommand({
    url: `http://127.0.0.1:${port}${ASK_PATH}`,
    tokenFile,
    daemonFile: daemonFileOf({ tokenFile }),
  }),
  timeout: HELD_SECONDS,
  statusMessage: STATUS_MESSAGE,
});

const tellHook = (
  { port, ...options }: HookEntriesOptions,
  { standIn, inHeadlessRuns }: { standIn: boolean; inHeadlessRuns?: InHeadlessRuns },
): CommandHook => ({
  type: 'command',
  command: tellCommand({ ...options, url: hookUrl(port), standIn, inHeadlessRuns }),
  timeout: standIn ? STAND_IN_SECONDS : COMMAND_SECONDS,
  statusMessage: STATUS_MESSAGE,
});

/**
 * When a session starts to wait for one of our prompts. Also at each prompt: a turn that we started and the user interrupted ends without a
 * Stop, and its waiter is used up.
 */
const WAIT_AT = new Set<HookEventName>(['SessionStart', 'UserPromptSubmit', 'Stop']);

/** `async` in addition to `asyncRewake`, which alone doesn't run it in the background in every mode. */
const promptHook = ({ port, tokenFile }: HookEntriesOptions): CommandHook => ({
  type: 'command',
  command: waitForPromptCommand({ url: `http://127.0.0.1:${port}${REWAKE_PATH}`, tokenFile }),
  timeout: HELD_SECONDS,
  async: true,
  asyncRewake: true,
  rewakeMessage: 'The operator of this session sent you this prompt through Ground Control. Work on it now:',
  rewakeSummary: REWAKE_SUMMARY,
  statusMessage: STATUS_MESSAGE,
});

/** The one line the terminal shows for it. */
export const REWAKE_SUMMARY = 'Prompt from Ground Control';

export const hookUrl = (port: number): string => `http://127.0.0.1:${port}${HOOK_PATH}`;

/** The client expands $NAME in headers, and curl reads escapes in its file, so only plain characters are allowed. */
export function checkToken(token: string): void {
  if (/^[A-Za-z0-9._~-]+$/.test(token)) return;
  throw new DomainError('hooks.bad_token', 500, 'The hook token may only contain letters, digits and . _ ~ -');
}
