import { basename } from 'node:path';
import type { SessionDriver } from '../../contract/drivers.ts';
import type { LiveSession, SubAgent } from '../../contract/sessions.ts';
import type { Actor, Session } from './session.ts';
import type { SubagentReading } from './transcript-reading.ts';

/** What a driver says about a session it reaches. */
export interface DriverView extends SessionDriver {
  noPrompts: string | null;
}

const NOTHING = {
  stop: false,
  endProcess: false,
  prompt: false,
  resume: false,
  settings: false,
  shells: false,
  rewind: false,
};
const UNREACHED: DriverView = { kind: 'terminal', capabilities: NOTHING, noPrompts: null };

/** A session as the API shows it. */
export function toLiveSession(
  session: Session,
  { driver = UNREACHED, machine = '' }: { driver?: DriverView | undefined; machine?: string } = {},
): LiveSession {
  const { state, main, process, reading } = session;
  const place = session.root ?? session.cwd;
  return {
    id: session.id,
    seq: session.seq,
    status: statusOf(session),
    agentState: state,
    attention: session.attention,
    stateSince: session.stateSince,
    title: titleOf(session),
    projectDisplayName: place ? basename(place) || place : 'Unknown project',
    projectPath: place,
    cwd: session.cwd,
    gitBranch: session.branch ?? reading?.branch ?? null,
    model: session.model ?? reading?.model ?? null,
    permissionMode: session.permissionMode ?? reading?.permissionMode ?? null,
    currentActivity: state.group === 'autonomous' && session.activity ? session.activity : state.label,
    firstUserMessage: reading?.firstPrompt ?? null,
    lastUserMessage: session.lastPrompt ?? reading?.lastPrompt ?? null,
    lastAgentMessage: reading?.lastMessage ?? null,
    turnCount: session.turns,
    subAgents: session.subagents.map((actor) => toSubAgent(actor, reading?.subagents[actor.id])),
    // hooks don't report a started step or a rewritten list
    progressItems: reading?.progress.length ? reading.progress : session.progress,
    tokens: reading?.tokens ?? null,
    cost: reading?.cost ?? null,
    usageByModel: reading?.usageByModel ?? [],
    otherUsage: reading?.otherUsage ?? [],
    inherited: reading?.inherited ?? null,
    uncounted: reading?.uncounted ?? null,
    contextWindowTokens: reading?.contextWindowTokens ?? null,
    contextWindowLimit: reading?.contextWindowLimit ?? null,
    cacheWarmUntil: reading?.cacheWarmUntil ?? null,
    turnStartedAt: reading?.turnStartedAt ?? null,
    linesAdded: reading?.linesAdded ?? null,
    linesRemoved: reading?.linesRemoved ?? null,
    toolCounts: reading?.toolCounts ?? {},
    collisions: session.collisions,
    stop: session.stop,
    driver: { kind: driver.kind, capabilities: driver.capabilities },
    noPrompts: driver.noPrompts,
    queuedPrompts: session.queuedPrompts,
    orchestration: session.orchestration,
    machine,
    pid: process?.pid ?? null,
    clientVersion: session.clientVersion,
    transcriptPath: session.transcriptPath,
    startedAt: Math.min(session.startedAt, main.startedAt),
    lastActivityAt: session.lastActivityAt,
    endedAt: session.endedAt,
    endReason: session.endReason,
  };
}

/** A person's title, set here or in the client, before generated ones. */
function titleOf({ givenTitle, autoTitle, reading }: Session): string {
  return givenTitle ?? reading?.givenTitle ?? autoTitle ?? reading?.title ?? 'Untitled session';
}

function statusOf(session: Session): LiveSession['status'] {
  if (session.endedAt !== null) return 'done';
  return session.state.group === 'autonomous' ? 'working' : 'paused';
}

function toSubAgent(actor: Actor, reading: SubagentReading | undefined): SubAgent {
  const { id, parentId, type, description, state, since, startedAt, endedAt } = actor;
  return {
    id,
    parentId,
    type,
    description,
    agentState: state,
    stateSince: since,
    startedAt,
    endedAt,
    lastMessage: reading?.lastMessage ?? null,
    model: reading?.model ?? null,
    tokens: reading?.tokens ?? null,
    cost: reading?.cost ?? null,
    toolCalls: reading?.toolCalls ?? null,
  };
}
