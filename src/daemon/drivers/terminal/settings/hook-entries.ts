import { dirname, join } from 'node:path';
import { DATA_FILES } from '../../../../contract/daemon.ts';
import { ASK_PATH, HOOK_PATH, REWAKE_PATH } from '../../../../contract/routes/hooks.ts';
import { HOOK_TOKEN_HEADER } from '../../../access/guard.ts';
import { DomainError } from '../../../errors.ts';
import { ENTRYPOINT_HEADER, ENTRYPOINT_VARIABLE } from '../intake/entrypoint.ts';
import { askPersonCommand } from './ask-person-command.ts';
import { compareVersions } from './compare-versions.ts';
import { askCommand, type InHeadlessRuns, tellCommand, waitForPromptCommand } from './hook-commands.ts';
import { type HookEventName, type HookRegistration, hookEventNames, hookRegistration } from './hook-events.ts';

/** "Added HTTP hooks": the client's CHANGELOG under 2.1.63. Before it, one entry of that type voids the settings file. */
export const HTTP_HOOKS_SINCE = '2.1.63';

/** The first client whose hooks can wake the model (`asyncRewake`); before it the exit code of a background hook is ignored. */
export const REWAKE_SINCE = '2.1.72';

/** An observer is answered at once; this is how long a hung daemon can hold up a session at each event. */
const OBSERVE_SECONDS = 5;
/**
 * A person may answer the next morning. The client's schema has no upper limit (it wants a positive number, and
 * counts it in milliseconds, so 24 days is where a timer would overflow), and it drops a hook it has waited for
 * silently. Measured: an answer that came after 400 s was still taken.
 */
export const HELD_SECONDS = 86_400;
/** Only a backstop: curl gives up after 1 s. The client waits this long at exit for SessionEnd. */
const COMMAND_SECONDS = 2;
/** Time for a stand-in to start, on a slow machine too. */
const STAND_IN_SECONDS = 10;

/** Shown in the client's spinner while a hook of ours runs. */
export const STATUS_MESSAGE = 'Ground Control';

export interface HttpHook {
  type: 'http';
  url: string;
  timeout: number;
  headers: Record<string, string>;
  /** What the client may fill in where a header says `$NAME`. */
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
  /** Before the prompt, in what the model reads. */
  rewakeMessage?: string;
  /** In the terminal, in place of the prompt. */
  rewakeSummary?: string;
  onFailure?: 'block';
  statusMessage: string;
}

export type Hook = HttpHook | CommandHook;

/** Without a matcher it fires for everything. One on FileChanged would make the client watch files of that name. */
export interface HookGroup {
  matcher?: string;
  hooks: [Hook, ...Hook[]];
}

export type HookEntries = Partial<Record<HookEventName, HookGroup>>;

export interface HookEntriesOptions {
  port: number;
  token: string;
  /** The token for commands: in a file, since their words can be read by everybody on the machine. */
  tokenFile: string;
  /** Undefined: not known, taken for a current one. */
  clientVersion?: string | undefined;
  /** False: no command of ours would get through. */
  hasCurl?: boolean | undefined;
  /** A session is being stopped: also register what ends its turn after a failed tool. */
  isStopping?: boolean | undefined;
  /** `command` where the client would send http hooks to a proxy. */
  form?: 'http' | 'command' | undefined;
  /**
   * A program to run when a hook finds nobody listening: it takes the hooks out again. With `--stand-in` it also answers
   * in the daemon's place until the client has noticed, and says a line when it does.
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
 * In the background, so that the process does not slow the session; but a session's start and end stay in order, and what
 * the operator may be asked about waits for the answer.
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

/** Both are files of the data dir. */
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
 * When a session starts to wait for a prompt of ours. At each prompt too: a turn that we started and the person interrupted ends
 * without a Stop, and what it waited with is used up.
 */
const WAIT_AT = new Set<HookEventName>(['SessionStart', 'UserPromptSubmit', 'Stop']);

/** `async` besides `asyncRewake`, which alone does not put it in the background in every mode. */
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

/** The one line that the terminal shows for it. */
export const REWAKE_SUMMARY = 'Prompt from Ground Control';

export const hookUrl = (port: number): string => `http://127.0.0.1:${port}${HOOK_PATH}`;

/** The client replaces $NAME in headers, and curl reads escapes in its file: nothing but plain characters. */
export function checkToken(token: string): void {
  if (/^[A-Za-z0-9._~-]+$/.test(token)) return;
  throw new DomainError('hooks.bad_token', 500, 'The hook token may only contain letters, digits and . _ ~ -');
}
