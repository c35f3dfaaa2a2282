import { HOOK_PATH, STRICT_PATH } from '../../../../contract/routes/hooks.ts';
import { isRecord } from '../../../../contract/values.ts';
import { HOOK_TOKEN_HEADER } from '../../../access/guard.ts';
import { COMMAND_SENTINEL } from '../../../processes/hook-mark.ts';

/** The pid of the client that runs our command. */
export const CLIENT_HEADER = 'x-groundcontrol-client';

/** Like the path, it doesn't end like the other one, so removing that one leaves it alone. */
export const STRICT_SENTINEL = '# groundcontrol-hook-strict';

/** Events at which a client runs hooks before its first prompt. */
export const START_EVENTS = ['SessionStart', 'Setup', 'InstructionsLoaded'] as const;

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

export interface OwnHook {
  form: 'http' | 'command';
  port: number | undefined;
  token: string | undefined;
  /** For a command: where its token is. */
  tokenFile?: string | undefined;
}

/** Whether it is what we would write now. A command with the token in its arguments is from an older version. */
export function hasToken(hook: OwnHook, { token, tokenFile }: { token: string; tokenFile: string }): boolean {
  return hook.form === 'http' ? hook.token === token : hook.tokenFile === tokenFile;
}

/** undefined: this hook belongs to the user or another tool and must never be touched. */
export type HookReader = (hook: unknown) => OwnHook | undefined;

export const readOwnHook = readerOf({ path: HOOK_PATH, sentinel: COMMAND_SENTINEL });
export const readStrictHook = readerOf({ path: STRICT_PATH, sentinel: STRICT_SENTINEL });

interface Marks {
  path: string;
  sentinel: string;
}

function readerOf(marks: Marks): HookReader {
  return (hook) => {
    if (!isRecord(hook)) return undefined;
    if (hook.type === 'http') return readHttp(hook, marks);
    if (hook.type === 'command') return readCommand(hook, marks);
    return undefined;
  };
}

function readHttp({ url, headers }: Record<string, unknown>, { path }: Marks): OwnHook | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { hostname, pathname, port } = new URL(url);
  if (!LOOPBACK.has(hostname) || !pathname.endsWith(path)) return undefined;
  const header = isRecord(headers)
    ? Object.entries(headers).find(([name]) => name.toLowerCase() === HOOK_TOKEN_HEADER)
    : undefined;
  if (!header) return undefined;
  return { form: 'http', port: Number(port || 80), token: typeof header[1] === 'string' ? header[1] : undefined };
}

function readCommand({ command }: Record<string, unknown>, { sentinel }: Marks): OwnHook | undefined {
  if (typeof command !== 'string' || !command.trimEnd().endsWith(sentinel)) return undefined;
  const port = command.match(/http:\/\/127\.0\.0\.1:(\d+)\//)?.[1];
  const token = command.match(new RegExp(`${HOOK_TOKEN_HEADER}: ([^'"]+)['"]`))?.[1];
  const [, file] = command.match(/ -K '((?:[^']|'\\'')+)' /) ?? [];
  const tokenFile = file?.replaceAll(`'\\''`, "'");
  return { form: 'command', port: port === undefined ? undefined : Number(port), token, tokenFile };
}
