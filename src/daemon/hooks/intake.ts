import type { HookAnswer, HookPayload } from '../../contract/hooks.ts';
import { DomainError } from '../errors.ts';
import type { Draft, JournalEvent } from '../journal/journal.ts';
import type { Sqlite } from '../journal/sqlite.ts';
import type { Share } from './shared-calls.ts';

/** Write carries whole files, so a payload may be large. */
export const MAX_HOOK_BYTES = 16 * 1024 * 1024;
const MAX_NAME = 256;

/** A hook that wants an answer. */
export interface TakenHook {
  payload: HookPayload;
  /** It is on the disk and in the live model. False: the journal cannot be written. */
  isWritten: boolean;
  /** The rule that wants the operator asked, for whoever asks. */
  askedBy?: string | undefined;
  /** A call that must not run unless the operator allows it, and why: its client would deny it without asking anybody. */
  mustAsk?: string | undefined;
  /** How the client was started, as far as it says: `cli`, `sdk-cli`, … */
  entrypoint?: string | undefined;
  /** Calls back if the client hangs up before it is answered. */
  onHangUp: (listener: () => void) => void;
}

/** What the connection tells of the client that called. */
export type HookCaller = Pick<TakenHook, 'entrypoint' | 'onHangUp'>;

/** Answers a hook, now or when someone has decided. Undefined: no opinion; the next one in line is asked. */
export type Responder = (hook: TakenHook) => HookAnswer | undefined | Promise<HookAnswer | undefined>;

export interface Intake {
  record: (draft: Draft) => Promise<JournalEvent>;
  /** A row to write in the same transaction as the hook. */
  rowFor?: (payload: HookPayload) => ((db: Sqlite) => void) | undefined;
  /** In order: the first that has an opinion answers. */
  responders: Responder[];
  /** Asked in their place when the hook could not be written: a full disk must not lift a stop or a rule. */
  unwritten?: Responder[];
}

/** Takes one hook: on the disk first, then answered. `{}`: the client goes on as if nobody had listened. */
export async function takeHook(
  bytes: Buffer,
  intake: Intake,
  caller: HookCaller,
  share: Share = (_payload, hangUp, take) => take(hangUp),
): Promise<HookAnswer> {
  const payload = parseHook(bytes);
  return share(payload, caller.onHangUp, (onHangUp) => answerTo(payload, bytes, intake, { ...caller, onHangUp }));
}

async function answerTo(
  payload: HookPayload,
  bytes: Buffer,
  { record, rowFor, responders, unwritten = [] }: Intake,
  caller: HookCaller,
): Promise<HookAnswer> {
  const write = rowFor?.(payload);
  const failure = await record({
    sessionId: payload.session_id,
    source: 'hook',
    name: payload.hook_event_name,
    payload,
    bytes,
    ...(write ? { write } : {}),
  }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const hook: TakenHook = { payload, isWritten: !failure, ...caller };
  for (const respond of failure ? unwritten : responders) {
    const answer = await respond(hook);
    if (answer) return answer;
  }
  // whoever was not heard is not told that they were
  if (failure) throw failure.error;
  return {};
}

export function parseHook(bytes: Buffer): HookPayload {
  const payload = parseJson(bytes);
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw new DomainError('hook.not_an_object', 400, 'A hook payload is a JSON object.');
  }
  checkName(payload, 'session_id');
  checkName(payload, 'hook_event_name');
  return payload as HookPayload;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new DomainError('hook.bad_json', 400, `The body is not valid JSON: ${(error as Error).message}`);
  }
}

function checkName(payload: object, field: string): void {
  const value = (payload as Record<string, unknown>)[field];
  if (typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME) return;
  throw new DomainError('hook.bad_field', 400, `${field} must be a string of 1 to ${MAX_NAME} characters.`, { field });
}
