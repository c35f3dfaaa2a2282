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
/** Time for a stand-in to start, on a slow machine too. */
const STAND_IN_SECONDS = 10;

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
    entries[event] = { hooks: [asCommands ? observeByCommand(event, options) : hook(registration, options)] };
  }
  return entries;
}

const isBefore = (clientVersion: string | undefined, version: string): boolean =>
  clientVersion !== undefined && compareVersions(clientVersion, version) < 0;

function hook(
  registration: Exclude<HookRegistration, { form: 'none' }>,
  options: HookEntriesOptions,
): HttpHook | CommandHook {
  if (registration.form === 'command') return commandHook(options, { standIn: registration.standIn === true });
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
  const observer = commandHook(options, { standIn: false });
  return inOrder ? observer : { ...observer, async: true };
}

const commandHook = (options: HookEntriesOptions, { standIn }: { standIn: boolean }): CommandHook => ({
  type: 'command',
  command: hookCommand(options, whenRefused(options, { standIn })),
  timeout: standIn ? STAND_IN_SECONDS : COMMAND_SECONDS,
});

export const hookUrl = (port: number): string => `http://127.0.0.1:${port}${HOOK_PATH}`;

/**
 * Always silent and always exit 0: the client shows what a hook prints to stderr, and feeds stdout of SessionStart to the
 * model. `-q` and `--noproxy` keep a curlrc or a proxy from sending the payload elsewhere, `Expect:` saves
 * large ones a second of waiting. Exit 7 is a refused connection; 127 no curl, where the payload must still be read, or the
 * client writes into a closed pipe.
 */
function hookCommand({ port, token }: HookEntriesOptions, refused: string): string {
  const curl = [
    `curl -q -s --max-time 1 --noproxy '*' --data-binary @- -H 'content-type: application/json' -H 'Expect:'`,
    `-H '${HOOK_TOKEN_HEADER}: ${token}' ${hookUrl(port)} >/dev/null 2>&1`,
  ].join(' ');
  return `${curl}; case $? in${refused} 127) cat >/dev/null 2>&1;; esac; exit 0 ${COMMAND_SENTINEL}`;
}

/** In the background. A stand-in is waited for until it says that it listens, so that the next hooks find it. */
function whenRefused({ whenDaemonGone }: HookEntriesOptions, { standIn }: { standIn: boolean }): string {
  if (!whenDaemonGone?.length) return '';
  const program = whenDaemonGone.map(shellQuote).join(' ');
  if (standIn) return ` 7) (${program} --stand-in 2>/dev/null </dev/null &) | read -r _;;`;
  return ` 7) (${program} >/dev/null 2>&1 </dev/null &);;`;
}

const shellQuote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** The token stands inside a shell command, and the client replaces $NAME in headers: nothing but plain characters. */
function checkToken(token: string): void {
  if (/^[A-Za-z0-9._~-]+$/.test(token)) return;
  throw new DomainError('hooks.bad_token', 500, 'The hook token may hold letters, digits and . _ ~ - only.');
}
