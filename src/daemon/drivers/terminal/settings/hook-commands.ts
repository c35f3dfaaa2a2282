import { COMMAND_SENTINEL } from '../../../processes/hook-mark.ts';
import { HEADLESS } from '../../../sessions/entrypoint.ts';
import { ENTRYPOINT_HEADER, ENTRYPOINT_VARIABLE } from '../intake/entrypoint.ts';
import { CLIENT_HEADER, STRICT_SENTINEL } from './own-hook.ts';

/* What the client runs in place of an HTTP hook: POSIX sh and curl. `-q` and `--noproxy` keep a curlrc or a proxy from sending the payload elsewhere; `Expect:` saves a second of waiting on large ones. The token comes from a file (`-K` works with every curl, while `-H @file` needs 7.55), since everyone on the machine can read a command line. Of curl's exit codes, 7 is a refused connection, 28 its own timeout, 52 and 56 a broken connection. 127 is the shell's for a missing curl; the payload must still be read then, or the client writes into a closed pipe. */

export interface CommandOptions {
  url: string;
  /** The file with the token header for curl. */
  tokenFile: string;
}

interface TellOptions extends CommandOptions {
  /** A program to run in the background when nothing listens: it removes the hooks. */
  whenDaemonGone?: readonly string[] | undefined;
}

const curl = ({ url, tokenFile, seconds }: CommandOptions & { seconds: number }): string =>
  `curl -q -s --max-time ${seconds} --noproxy '*' --data-binary @- -H 'content-type: application/json' ` +
  `-H 'Expect:' -H "${CLIENT_HEADER}: $PPID" -K ${shellQuote(tokenFile)} ${shellQuote(url)}`;

/** The body followed by the status, so `${r%200}` is the body of a successful response. */
const ask = (options: CommandOptions & { seconds: number }): string =>
  `${curl(options)} -H "${ENTRYPOINT_HEADER}: $${ENTRYPOINT_VARIABLE}" -w '%{http_code}' 2>/dev/null`;

/**
 * The client kills a hook with its whole process group, and waits up to a second and a half for the group to be empty. So each shell in it
 * outlives its children and reaps them; otherwise init does that, whenever it gets to it.
 */
export const SIGNALS = 'TERM INT HUP';

const READ_ON = '127*) cat >/dev/null 2>&1;;';

/** In the background. Waits until a stand-in reports that it is listening, so the next hooks find it. */
function whenRefused(program: readonly string[] | undefined, { standIn }: { standIn: boolean }): string {
  if (!program?.length) return '';
  const words = program.map(shellQuote).join(' ');
  if (standIn) return ` 7*) (${words} --stand-in 2>/dev/null </dev/null &) | read -r _;;`;
  return ` 7*) (${words} >/dev/null 2>&1 </dev/null &);;`;
}

/** Always silent and always exit 0: the client shows stderr, and feeds the stdout of SessionStart to the model. */
export function tellCommand({
  whenDaemonGone,
  standIn = false,
  inHeadlessRuns = 'wait',
  ...options
}: TellOptions & { standIn?: boolean; inHeadlessRuns?: InHeadlessRuns | undefined }): string {
  const post = `${curl({ ...options, seconds: 1 })} >/dev/null 2>&1`;
  const tell = `${post}; case $? in${whenRefused(whenDaemonGone, { standIn })} ${READ_ON} esac`;
  return `${ifHeadless(inHeadlessRuns, whenDaemonGone)}${tell}; exit 0 ${COMMAND_SENTINEL}`;
}

/**
 * `skip`: a headless run's first prompt carries the same information, and the command would cost the run 20 to 40 ms. It only checks
 * whether the daemon announced in this file is still running, using shell built-ins, since another process would cost as much.
 */
export type InHeadlessRuns = 'wait' | { skip: { daemonFile: string } };

function ifHeadless(how: InHeadlessRuns, whenDaemonGone: readonly string[] | undefined): string {
  if (how === 'wait') return '';
  const file = shellQuote(how.skip.daemonFile);
  const pid = `d=; [ ! -r ${file} ] || while read -r l || [ -n "$l" ]; do d=$d$l; done <${file}; d=\${d##*'"pid":'}; d=\${d%%,*}; d=\${d# }`;
  const program = whenDaemonGone?.map(shellQuote).join(' ');
  const check = program ? ` ${pid}; kill -0 $d 2>/dev/null || (${program} >/dev/null 2>&1 </dev/null &);` : '';
  return `case "$${ENTRYPOINT_VARIABLE}" in ${HEADLESS}) IFS= read -r p;${check} exit 0;; esac; `;
}

/** Passes our answer to the client, however long it takes. Without one it stays silent, and the client decides on its own. */
export function askCommand({ whenDaemonGone, ...options }: TellOptions & { seconds: number }): string {
  const print = `0*200) printf %s "\${r%200}";;`;
  return `trap 'exit 0' ${SIGNALS}; r=$(trap : ${SIGNALS}; ${ask(options)}); case $?$r in ${print}${whenRefused(whenDaemonGone, { standIn: false })} ${READ_ON} esac; exit 0 ${COMMAND_SENTINEL}`;
}

/** The same, except that any failure to answer blocks the call, and the model reads why. */
export function strictCommand(options: CommandOptions & { seconds: number }): string {
  const print = `0*200) printf %s "\${r%200}"; exit 0;;`;
  return `trap 'exit 2' ${SIGNALS}; r=$(trap : ${SIGNALS}; ${ask(options)}); case $?$r in ${print} ${READ_ON} esac; echo ${shellQuote(BLOCKED)} >&2; exit 2 ${STRICT_SENTINEL}`;
}

const BLOCKED =
  "Ground Control isn't running, and this project is in strict mode, so no tools run. The user can start it (gctl up) or turn strict mode off (gctl strict off).";

const POLL_SECONDS = 900;
const RETRY_SECONDS = 2;
const RETRIES = 300;

/**
 * Waits for a prompt, prints it to stderr and exits 2, which wakes the model. Only for interactive terminals: `claude -p` would wait half a
 * minute for it when exiting. A daemon it has talked to may be restarting, so it retries for ten minutes, past the stand-in (503); one that
 * was never there isn't waited for. `kill -0` keeps it from outliving a killed client.
 */
export function waitForPromptCommand(options: CommandOptions): string {
  const isTerminal = `[ "$CLAUDE_CODE_ENTRYPOINT" = cli ] && [ "\${CLAUDE_CODE_SESSION_ATTENDED-1}" = 1 ]`;
  const cases = [
    `0*200) printf %s "\${r%200}" >&2; exit 2;;`,
    '28*) n=0;;',
    `52*|56*) n=0; sleep 1;;`,
    `7*|0*503) [ "\${n:-${RETRIES}}" -lt ${RETRIES} ] || exit 0; n=$((n+1)); sleep ${RETRY_SECONDS};;`,
    '*) exit 0;;',
  ];
  return [
    // without a process: every headless run waits for this shell at its end
    `${isTerminal} || { IFS= read -r p; exit 0; }`,
    `trap 'exit 0' ${SIGNALS}; n=; p=$(cat)`,
    `while kill -0 $PPID 2>/dev/null; do r=$(trap : ${SIGNALS}; printf %s "$p" | ${ask({ ...options, seconds: POLL_SECONDS })})`,
    `case $?$r in ${cases.join(' ')} esac; done`,
    `exit 0 ${COMMAND_SENTINEL}`,
  ].join('; ');
}

export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
