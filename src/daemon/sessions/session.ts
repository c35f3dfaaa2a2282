import type { Orchestration } from '../../contract/orchestration.ts';
import type { AgentState, Collision, ProgressItem, Stop } from '../../contract/sessions.ts';
import type { Reading } from './transcript-reading.ts';

/** A tool call that started and, as far as we know, hasn't ended. */
export interface ToolCall {
  /** null for a call known only from its permission request. */
  id: string | null;
  name: string;
  /** Tells two calls of the same tool apart, since a permission request may not say which one it means. */
  inputHash: string;
  label: string;
  description: string | null;
  /** The turn it belongs to. null: its agent doesn't say. */
  turnId: string | null;
  /** When we learned of it. What the client said about dialogs before that isn't about this call. */
  startedAt: number;
  /** How long it may run before silence means something. */
  limitMs: number;
  /** What the call is waiting for, if it waits for the operator. */
  ask: Ask | null;
}

/** A question to the operator, from when it is asked until it is answered, here or at the keyboard. */
export interface Ask {
  state: AgentState;
  /** The client shows no dialog while we hold its hook, so its own status says nothing about this question. */
  isSilent: boolean;
}

/** Who acts in a session: the main agent, or a subagent. Each has its own state. */
export interface Actor {
  id: string;
  parentId: string | null;
  type: string;
  description: string | null;
  /** What the last event said, ignoring calls that wait for the operator. */
  base: AgentState;
  calls: ToolCall[];
  /** What to show: the first waiting call, otherwise `base`. */
  state: AgentState;
  since: number;
  /** When it last reported something. */
  heardAt: number;
  startedAt: number;
  endedAt: number | null;
}

/** How a call went, for detecting loops. */
export interface CallTrace {
  actor: string;
  name: string;
  /** The tool and its input. */
  call: string;
  result: string;
  /** The file it writes. */
  file: string | null;
  failed: boolean;
  at: number;
}

/** Something is wrong with a session that doesn't report it itself. */
export interface Alarm {
  kind: 'loop' | 'stall';
  /** Who is looping. */
  actorId: string | null;
  /** Whose edits fail. */
  file: string | null;
  /** The repeated calls. */
  calls: string[];
  state: AgentState;
}

export type Attention = 'none' | 'settling' | 'settled';

export interface Session {
  id: string;
  seq: number;
  main: Actor;
  subagents: Actor[];
  state: AgentState;
  stateSince: number;
  attention: Attention;
  attentionSince: number;
  /** null until its agent reports something: until then its status file speaks for the session. */
  lastHeardAt: number | null;
  startedAt: number;
  lastActivityAt: number;
  endedAt: number | null;
  endReason: string | null;
  /** Off the board: left after its end, or removed by the operator. The journal keeps its events. */
  gone: 'left' | 'deleted' | null;
  givenTitle: string | null;
  autoTitle: string | null;
  lastPrompt: string | null;
  turns: number;
  activity: string;
  progress: ProgressItem[];
  cwd: string | null;
  /** The first folder it was seen in: its project's denies apply wherever it goes. */
  startedIn: string | null;
  /** The project: the main checkout of its repository. */
  root: string | null;
  /** Where in the repository it is: the root, or a worktree elsewhere. */
  checkout: string | null;
  branch: string | null;
  model: string | null;
  permissionMode: string | null;
  transcriptPath: string | null;
  clientVersion: string | null;
  /** How its client was started: `cli` in a terminal, `sdk-cli` for `claude -p`. null: unknown. */
  entrypoint: string | null;
  process: { pid: number; start: string | null } | null;
  /** Other clients on the same session id, each with its own actor. */
  others: { pid: number; start: string | null }[];
  /** The client whose events come next. null: the first. */
  speaker: number | null;
  stop: Stop | null;
  /** What programs ask the operator on its behalf, oldest first. */
  apiAsks: { id: string; state: AgentState }[];
  recentCalls: CallTrace[];
  alarm: Alarm | null;
  /** Files it wrote itself, latest last. */
  written: { path: string; at: number }[];
  collisions: Collision[];
  /** The main agent's turn has ended and no new one has started. */
  betweenTurns: boolean;
  queuedPrompts: number;
  /** null: it was not started from here. */
  orchestration: Orchestration | null;
  /** null: no transcript has been read. */
  reading: Reading | null;
}

/** Raise this when the shape above changes: saved models of another shape are then rebuilt from the journal. */
export const SESSION_MODEL = 11;

export const MAIN = 'main';

export function newActor(id: string, at: number, base: AgentState): Actor {
  return {
    id,
    parentId: null,
    type: id === MAIN ? MAIN : 'agent',
    description: null,
    base,
    calls: [],
    state: base,
    since: at,
    heardAt: at,
    startedAt: at,
    endedAt: null,
  };
}

export function newSession(id: string, at: number): Session {
  const state: AgentState = { group: 'autonomous', state: 'unknown', label: 'Connecting...' };
  return {
    id,
    seq: 0,
    main: newActor(MAIN, at, state),
    subagents: [],
    state,
    stateSince: at,
    attention: 'none',
    attentionSince: at,
    lastHeardAt: null,
    startedAt: at,
    lastActivityAt: at,
    endedAt: null,
    endReason: null,
    gone: null,
    givenTitle: null,
    autoTitle: null,
    lastPrompt: null,
    turns: 0,
    activity: '',
    progress: [],
    cwd: null,
    startedIn: null,
    root: null,
    checkout: null,
    branch: null,
    model: null,
    permissionMode: null,
    transcriptPath: null,
    clientVersion: null,
    entrypoint: null,
    process: null,
    others: [],
    speaker: null,
    stop: null,
    apiAsks: [],
    recentCalls: [],
    alarm: null,
    written: [],
    collisions: [],
    betweenTurns: false,
    queuedPrompts: 0,
    orchestration: null,
    reading: null,
  };
}
