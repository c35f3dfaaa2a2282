import { COMMAND_SENTINEL } from '../../../processes/hook-mark.ts';
import { ENTRYPOINT_HEADER, ENTRYPOINT_VARIABLE } from '../intake/entrypoint.ts';
import { type CommandOptions, SIGNALS, shellQuote } from './hook-commands.ts';
import { CLIENT_HEADER } from './own-hook.ts';

/** The name a hook process reconnects under. */
export const ASKER_HEADER = 'x-groundcontrol-asker';

/** The process has printed our answer and is about to exit, which is when the client reads it. */
export const DELIVERED = '/delivered';
/** The client ended the process: its dialog was closed in the terminal. */
export const CLOSED = '/closed';

export interface AskPersonOptions extends CommandOptions {
  /** Names the daemon's port, which may change with a restart. */
  daemonFile: string;
}

const POLL_SECONDS = 900;
/** A dialog is on screen meanwhile, so waiting for a restarting daemon costs nothing. */
const RETURN_SECONDS = 600;
/** No dialog is on screen until we give up. A restart takes two seconds, and nobody should wait much longer. */
const RETURN_SOON_SECONDS = 5;
const CONFIRM_TRIES = 60;

/**
 * Asks the operator and passes the answer to the client. A separate process, so the question outlives the daemon: it reconnects under the
 * same name, past a stand-in (503), and gets the decision made meanwhile. 204: no answer for it, the terminal decides. The client reads the
 * output when the process exits, so it confirms before that.
 */
export function askPersonCommand({ url, tokenFile, daemonFile }: AskPersonOptions): string {
  const path = new URL(url).pathname;
  const find = `d=$(sed -n 's/.*"url": *"\\([^"]*\\)".*/\\1/p' ${shellQuote(daemonFile)}); [ -z "$d" ] || u=$d${path}`;
  const post = (seconds: number, to = '') => `curl "$@" --max-time ${seconds} "$u${to}"`;
  const confirm = `[ "$(printf {} | ${post(2, DELIVERED)})" = 204 ]`;
  const confirmLater = `(n=0; while [ $n -lt ${CONFIRM_TRIES} ]; do sleep 1; ${find}; ${confirm} && exit 0; kill -0 $PPID || exit 0; n=$((n+1)); done) >/dev/null </dev/null &`;
  const tryAgain = `[ $n -lt $m ] || exit 0; n=$((n+1)); sleep 1; ${find}`;
  const cases = [
    `0*200) printf %s "\${r%200}"; ${confirm} || { ${confirmLater} }; exit 0;;`,
    '28*) n=0; s=1;;',
    // Where no dialog is shown meanwhile, don't wait for a daemon that was never there.
    `7*) [ -n "$s" ] || [ $m -gt ${RETURN_SOON_SECONDS} ] || exit 0; ${tryAgain};;`,
    `52*|56*|0*503) s=1; ${tryAgain};;`,
    '*) exit 0;;',
  ];
  return [
    `exec 2>/dev/null; p=$(cat); u=${shellQuote(url)}; n=0; s=; m=${RETURN_SECONDS}`,
    `case $p in *'"agent_id":"'*|*'"hook_event_name":"Elicitation"'*) m=${RETURN_SOON_SECONDS};; esac`,
    `[ "$${ENTRYPOINT_VARIABLE}" = cli ] || m=${RETURN_SOON_SECONDS}`,
    `set -- -q -s --noproxy '*' --data-binary @- -H 'content-type: application/json' -H 'Expect:' -K ${shellQuote(tokenFile)} ` +
      `-H "${ASKER_HEADER}: $$.$PPID.$(date +%s)" -H "${CLIENT_HEADER}: $PPID" ` +
      `-H "${ENTRYPOINT_HEADER}: $${ENTRYPOINT_VARIABLE}" -w '%{http_code}'`,
    `trap 'printf {} | ${post(1, CLOSED)} >/dev/null; exit 0' ${SIGNALS}`,
    `while kill -0 $PPID; do r=$(trap : ${SIGNALS}; printf %s "$p" | ${post(POLL_SECONDS)})`,
    `case $?$r in ${cases.join(' ')} esac; done`,
    `exit 0 ${COMMAND_SENTINEL}`,
  ].join('; ');
}
