import type { HookAnswer, HookPayload } from '../../../../contract/hooks.ts';
import type { Draft, JournalEvent } from '../../../journal/journal.ts';
import type { Sqlite } from '../../../journal/sqlite.ts';
import { endedCallOf } from '../translate-hook.ts';
import { type ReadHook, refuseUnreadable } from './read-hook.ts';
import type { HookClient, RecordSpeaker } from './record-speaker.ts';
import type { Share } from './shared-calls.ts';

/** A hook that expects an answer. */
export interface TakenHook {
  payload: HookPayload;
  /** It is on disk and in the live model. False: the journal can't be written. */
  isWritten: boolean;
  /** How the client was started, if it says: `cli`, `sdk-cli`, … */
  entrypoint?: string | undefined;
  /** A separate process that waits for the answer. undefined: the client itself waits, over HTTP. */
  asker?: HookAsker | undefined;
  /** The calling client, if known. */
  client?: HookClient | undefined;
  /** Called if the client hangs up before it is answered. */
  onHangUp: (listener: () => void) => void;
  /** Called when the answer was sent; false: the connection broke first. */
  onSent?: ((listener: (isSent: boolean) => void) => void) | undefined;
}

export interface HookAsker {
  /** The name it reconnects under after a daemon restart. */
  key: string;
  /** Its client's pid. */
  pid: number | null;
}

/** What the connection reveals about the calling client. */
export type HookCaller = Pick<TakenHook, 'entrypoint' | 'asker' | 'client' | 'onHangUp' | 'onSent'>;

/** Answers a hook, now or after a decision. undefined: no opinion, ask the next one. */
export type Responder = (hook: TakenHook) => HookAnswer | undefined | Promise<HookAnswer | undefined>;

export interface Intake {
  record: (draft: Draft) => Promise<JournalEvent>;
  /** A row to write in the hook's transaction. */
  rowFor?: (sessionId: string, endedCall: string | undefined) => ((db: Sqlite) => void) | undefined;
  /** Called for each hook right before it is recorded. */
  recordSpeaker?: RecordSpeaker;
  /** In order: the first with an opinion answers. Also asked if the hook couldn't be written: a full disk lifts no stop and no rule. */
  responders: Responder[];
  /** Whether any rule or policy could apply to a call. If none can, an unreadable call may pass. */
  checksCalls?: () => boolean;
}

/** Takes one hook: writes it to disk, then answers. `{}`: the client continues as if nothing had listened. */
export async function takeHook(
  hook: ReadHook,
  intake: Intake,
  caller: HookCaller,
  share: Share = (_payload, hangUp, take) => take(hangUp),
): Promise<HookAnswer> {
  return share(hook.payload, caller.onHangUp, (onHangUp) => answerTo(hook, intake, { ...caller, onHangUp }));
}

async function answerTo(
  { payload, bytes, unreadable }: ReadHook,
  { record, rowFor, recordSpeaker, responders, checksCalls }: Intake,
  caller: HookCaller,
): Promise<HookAnswer> {
  const write = rowFor?.(payload.session_id, endedCallOf(payload));
  recordSpeaker?.(payload, caller.client);
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
  const refusal = unreadable !== undefined && checksCalls?.() ? refuseUnreadable(payload, unreadable) : undefined;
  if (refusal) return refusal;
  const hook: TakenHook = { payload, isWritten: !failure, ...caller };
  for (const respond of responders) {
    const answer = await respond(hook);
    if (answer) return answer;
  }
  // If it wasn't recorded, don't acknowledge it.
  if (failure) throw failure.error;
  return {};
}
