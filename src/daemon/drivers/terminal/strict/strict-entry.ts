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

/** The first client that supports `onFailure`. An older one allows the call if nothing answers an HTTP hook. */
export const ON_FAILURE_SINCE = '2.1.295';

export interface StrictEntryOptions {
  port: number;
  token: string;
  tokenFile: string;
  /** undefined: unknown, so nothing is assumed. */
  clientVersion: string | undefined;
  /** The client wouldn't send us an HTTP hook. */
  noHttp: boolean;
}

/** The entry in a strict project's settings: every call is asked for, and blocked if nothing answers. */
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

/** If the request fails, the client shows the address to the model, so it says what to do. */
export const strictUrl = (port: number): string =>
  `http://127.0.0.1:${port}${STRICT_PATH}?if-this-fails=start-ground-control-with-gctl-up`;
