import type { HookAnswer, HookPayload } from '../../../../contract/hooks.ts';
import type { Draft, JournalEvent } from '../../../journal/journal.ts';
import type { Sqlite } from '../../../journal/sqlite.ts';
import { endedCallOf } from '../translate-hook.ts';
import type { HookClient, NoteSpeaker } from './note-speaker.ts';
import { type ReadHook, refuseUnreadable } from './read-hook.ts';
import type { Share } from './shared-calls.ts';

/** A hook that wants an answer. */
export interface TakenHook {
  payload: HookPayload;
  /** It is on the disk and in the live model. False: the journal cannot be written. */
  isWritten: boolean;
  /** How the client was started, as far as it says: `cli`, `sdk-cli`, … */
  entrypoint?: string | undefined;
  /** A process of its own that waits for the answer. Undefined: the client itself waits, over http. */
  asker?: HookAsker | undefined;
  /** The client that called, as far as it can be told. */
  client?: HookClient | undefined;
  /** Calls back if the client hangs up before it is answered. */
  onHangUp: (listener: () => void) => void;
  /** Calls back when the answer has left us; false: the connection broke first. */
  onSent?: ((listener: (isSent: boolean) => void) => void) | undefined;
}

export interface HookAsker {
  /** The name that it comes back under when the daemon was restarted. */
  key: string;
  /** Of its client. */
  pid: number | null;
}

/** What the connection tells of the client that called. */
export type HookCaller = Pick<TakenHook, 'entrypoint' | 'asker' | 'client' | 'onHangUp' | 'onSent'>;

/** Answers a hook, now or when someone has decided. Undefined: no opinion; the next one in line is asked. */
export type Responder = (hook: TakenHook) => HookAnswer | undefined | Promise<HookAnswer | undefined>;

export interface Intake {
  record: (draft: Draft) => Promise<JournalEvent>;
  /** A row to write in the same transaction as the hook. */
  rowFor?: (sessionId: string, endedCall: string | undefined) => ((db: Sqlite) => void) | undefined;
  /** Told of each hook right before it is recorded. */
  noteSpeaker?: NoteSpeaker;
  /** In order: the first that has an opinion answers. Also when the hook could not be written: a full disk lifts no stop and no rule. */
  responders: Responder[];
  /** Whether rules or policies could want a say about a call. Where none can, one that we cannot read may pass. */
  checksCalls?: () => boolean;
}

/** Takes one hook: on the disk first, then answered. `{}`: the client goes on as if nobody had listened. */
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
  { record, rowFor, noteSpeaker, responders, checksCalls }: Intake,
  caller: HookCaller,
): Promise<HookAnswer> {
  const write = rowFor?.(payload.session_id, endedCallOf(payload));
  noteSpeaker?.(payload, caller.client);
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
  // whoever was not heard is not told that they were
  if (failure) throw failure.error;
  return {};
}
