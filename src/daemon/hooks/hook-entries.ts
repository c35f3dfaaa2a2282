import { HOOK_TOKEN_HEADER } from '../access/guard.ts';
import { DomainError } from '../errors.ts';
import { compareVersions } from './compare-versions.ts';
import { type HookEventName, type HookRegistration, hookEventNames, hookRegistration } from './hook-events.ts';
import { COMMAND_SENTINEL, HOOK_PATH } from './own-hook.ts';

/** "Added HTTP hooks": the client's CHANGELOG under 2.1.63. Before it, one entry of that type voids the settings file. */
export const HTTP_HOOKS_SINCE = '2.1.63';

/** An observer is answered at once; this is how long a hung daemon can hold up a session at each event. */
const OBSERVE_SECONDS = 5;
/**
 * A person may answer the next morning. The client's schema has no upper limit (it wants a positive number, and
 * counts it in milliseconds, so 24 days is where a timer would overflow), and it drops a hook it has waited for
 * silently. Measured: an answer that came after 400 s was still taken.
 */
const HELD_SECONDS = 86_400;
/** Only a backstop: curl gives up after 1 s. The client waits this long at exit for SessionEnd. */
const COMMAND_SECONDS = 2;

interface HttpHook {
  type: 'http';
  url: string;
  timeout: number;
  headers: Record<string, string>;
}

interface CommandHook {
  type: 'command';
  command: string;
  timeout: number;
  async?: true;
}

/** No matcher: it fires for everything. One on FileChanged would make the client watch files of that name. */
export interface HookGroup {
  hooks: [HttpHook | CommandHook];
}

export type HookEntries = Partial<Record<HookEventName, HookGroup>>;

export interface HookEntriesOptions {
  port: number;
  token: string;
  /** Undefined: not known, taken for a current one. */
  clientVersion?: string | undefined;
  /** `command` where the client would send http hooks to a proxy. */
  form?: 'http' | 'command' | undefined;
  /** A program to run, in the background, when a hook finds nobody listening: it takes the hooks out again. */
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
    entries[event] = { hooks: [asCommands ? observeByCommand(event, options) : hook(registration, options)] };
  }
  return entries;
}

const isBefore = (clientVersion: string | undefined, version: string): boolean =>
  clientVersion !== undefined && compareVersions(clientVersion, version) < 0;

function hook(registration: HookRegistration, options: HookEntriesOptions): HttpHook | CommandHook {
  if (registration.form !== 'http') return commandHook(options);
  return {
    type: 'http',
    url: hookUrl(options.port),
    timeout: registration.held ? HELD_SECONDS : OBSERVE_SECONDS,
    headers: { [HOOK_TOKEN_HEADER]: options.token },
  };
}

/** In the background, so that the process does not slow the session; but a session's start and end stay in order. */
function observeByCommand(event: HookEventName, options: HookEntriesOptions): CommandHook {
  const inOrder = event === 'SessionStart' || event === 'SessionEnd';
  return inOrder ? commandHook(options) : { ...commandHook(options), async: true };
}

const commandHook = (options: HookEntriesOptions): CommandHook => ({
  type: 'command',
  command: hookCommand(options),
  timeout: COMMAND_SECONDS,
});

export const hookUrl = (port: number): string => `http://127.0.0.1:${port}${HOOK_PATH}`;

/**
 * Always silent and always exit 0: the client shows what a hook prints to stderr, and feeds stdout of SessionStart to the
 * model. `-q` and `--noproxy` keep a curlrc or a proxy from sending the payload elsewhere, `Expect:` saves
 * large ones a second of waiting. Exit 7 is a refused connection; 127 no curl, where the payload must still be read, or the
 * client writes into a closed pipe.
 */
function hookCommand({ port, token, whenDaemonGone }: HookEntriesOptions): string {
  const curl = [
    `curl -q -s --max-time 1 --noproxy '*' --data-binary @- -H 'content-type: application/json' -H 'Expect:'`,
    `-H '${HOOK_TOKEN_HEADER}: ${token}' ${hookUrl(port)} >/dev/null 2>&1`,
  ].join(' ');
  const gone = whenDaemonGone?.length
    ? ` 7) (${whenDaemonGone.map(shellQuote).join(' ')} >/dev/null 2>&1 </dev/null &);;`
    : '';
  return `${curl}; case $? in${gone} 127) cat >/dev/null 2>&1;; esac; exit 0 ${COMMAND_SENTINEL}`;
}

const shellQuote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** The token stands inside a shell command, and the client replaces $NAME in headers: nothing but plain characters. */
function checkToken(token: string): void {
  if (/^[A-Za-z0-9._~-]+$/.test(token)) return;
  throw new DomainError('hooks.bad_token', 500, 'The hook token may hold letters, digits and . _ ~ - only.');
}
