import type { LiveModel } from '../../../sessions/live-model.ts';
import type { TakenHook } from './intake.ts';

/** The client sets this for itself and its children: `cli` in a terminal, `sdk-cli` for `claude -p`, `sdk-ts` and others. */
export const ENTRYPOINT_VARIABLE = 'CLAUDE_CODE_ENTRYPOINT';
export const ENTRYPOINT_HEADER = 'x-groundcontrol-entrypoint';

const NAME = /^[a-z0-9_-]{1,64}$/;

/** undefined: the client didn't say. One that is too old to expand the variable sends its name, or nothing. */
export function readEntrypoint(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && NAME.test(header) ? header : undefined;
}

/** From the hook itself, or from its session's process, since older hooks don't carry it. */
export function entrypointOf({ payload, entrypoint }: TakenHook, live: LiveModel): string | undefined {
  return entrypoint ?? live.get(payload.session_id)?.entrypoint ?? undefined;
}
