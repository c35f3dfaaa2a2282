import { STRICT_PATH } from '../../../../contract/routes/hooks.ts';
import { HOOK_TOKEN_HEADER } from '../../../access/guard.ts';
import { strictCommand } from '../settings/hook-commands.ts';
import {
  checkToken,
  HELD_SECONDS,
  type HookEntries,
  isBefore,
  STATUS_MESSAGE,
  tellEntrypoint,
} from '../settings/hook-entries.ts';

/** The first client that knows `onFailure`. An older one lets the call through when an http hook finds nobody. */
export const ON_FAILURE_SINCE = '2.1.295';

export interface StrictEntryOptions {
  port: number;
  token: string;
  tokenFile: string;
  /** Undefined: not known. Then nothing is taken for granted. */
  clientVersion: string | undefined;
  /** The client would not send an http hook to us. */
  noHttp: boolean;
}

/** What a strict project's settings hold: every call is asked for, and where nobody answers it is blocked. */
export function strictEntries({ port, token, tokenFile, clientVersion, noHttp }: StrictEntryOptions): HookEntries {
  checkToken(token);
  const url = strictUrl(port);
  const blocks = clientVersion !== undefined && !isBefore(clientVersion, ON_FAILURE_SINCE);
  const timeout = HELD_SECONDS;
  const statusMessage = STATUS_MESSAGE;
  const onFailure = blocks ? { onFailure: 'block' as const } : {};
  if (blocks && !noHttp) {
    const headers = tellEntrypoint({ [HOOK_TOKEN_HEADER]: token });
    return { PreToolUse: { hooks: [{ type: 'http', url, timeout, ...headers, ...onFailure, statusMessage }] } };
  }
  const command = strictCommand({ url, tokenFile, seconds: HELD_SECONDS });
  return { PreToolUse: { hooks: [{ type: 'command', command, timeout, ...onFailure, statusMessage }] } };
}

/** When the call fails the client shows the address to the model, so it says what to do. */
export const strictUrl = (port: number): string =>
  `http://127.0.0.1:${port}${STRICT_PATH}?if-this-fails=start-ground-control-with-gctl-up`;
