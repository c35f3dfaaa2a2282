import type { HookAnswer, HookPayload } from '../../../../contract/hooks.ts';
import { DomainError } from '../../../errors.ts';
import { clip } from '../../../sessions/clip.ts';
import { outlineJson } from './outline-json.ts';

/** Write calls carry whole files, so a payload may be large. */
export const MAX_HOOK_BYTES = 16 * 1024 * 1024;
/** Beyond these limits, parsing and folding a payload would keep every other agent waiting. */
const MAX_VALUES = 30_000;
const MAX_DEPTH = 200;
/** A payload of this size can't exceed the limits by enough to matter. */
const ALWAYS_CHEAP_BYTES = 8 * 1024;
/** The journal keeps a hook up to this size byte for byte, and a shortened copy of larger ones. */
const MAX_JOURNAL_BYTES = 1024 * 1024;
const SHORTENED = { string: 64 * 1024, items: 2000, depth: 20 };
const MAX_NAME = 256;

export interface ReadHook {
  payload: HookPayload;
  /** For the journal. */
  bytes: Buffer;
  /** Why only its names were read. */
  unreadable?: string;
}

export function readHook(bytes: Buffer): ReadHook {
  return readChecked(bytes, findExcess(bytes));
}

/** `unreadable`: the reason from `findExcess`. */
export function readChecked(bytes: Buffer, unreadable: string | undefined): ReadHook {
  if (unreadable !== undefined) return readNames(bytes, unreadable);
  const payload = parseHook(bytes);
  if (bytes.length <= MAX_JOURNAL_BYTES) return { payload, bytes };
  const shortened = { ...(clip(payload, SHORTENED) as object), shortened: { bytes: bytes.length } };
  return { payload, bytes: Buffer.from(JSON.stringify(shortened)) };
}

/** Why these bytes shouldn't be parsed. undefined: they may be. `isCut`: the hook exceeded the size limit. */
export function findExcess(bytes: Buffer, { isCut = false } = {}): string | undefined {
  if (isCut) return `it is larger than ${MAX_HOOK_BYTES / 2 ** 20} MB`;
  if (bytes.length <= ALWAYS_CHEAP_BYTES) return undefined;
  const { values, depth } = outlineJson(bytes);
  if (values > MAX_VALUES) return `it has more than ${MAX_VALUES.toLocaleString('en-US')} values`;
  return depth > MAX_DEPTH ? `it is nested more than ${MAX_DEPTH} levels deep` : undefined;
}

/** Who did what, without the input. */
function readNames(bytes: Buffer, unreadable: string): ReadHook {
  const names = Object.fromEntries(outlineJson(bytes).strings);
  const payload = checked({ ...names, unreadable: { why: unreadable, bytes: bytes.length } });
  return { payload, bytes: Buffer.from(JSON.stringify(payload)), unreadable };
}

/** A call that no rule can inspect must not get past the rules. undefined: nothing is asked. */
export function refuseUnreadable({ hook_event_name: hookEventName }: HookPayload, why: string): HookAnswer | undefined {
  const message = `Ground Control can't check this call against the rules because ${why}. Split it into smaller calls.`;
  if (hookEventName === 'PreToolUse')
    return {
      hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason: message },
    };
  if (hookEventName === 'PermissionRequest')
    return { hookSpecificOutput: { hookEventName, decision: { behavior: 'deny', message } } };
  return undefined;
}

export function parseHook(bytes: Buffer): HookPayload {
  const payload = parseJson(bytes);
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw new DomainError('hook.not_an_object', 400, 'A hook payload must be a JSON object.');
  }
  return checked(payload);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new DomainError('hook.bad_json', 400, `The body is not valid JSON: ${(error as Error).message}`);
  }
}

function checked(payload: object): HookPayload {
  checkName(payload, 'session_id');
  checkName(payload, 'hook_event_name');
  return payload as HookPayload;
}

function checkName(payload: object, field: string): void {
  const value = (payload as Record<string, unknown>)[field];
  if (typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME) return;
  throw new DomainError('hook.bad_field', 400, `${field} must be a string of 1 to ${MAX_NAME} characters.`, { field });
}
