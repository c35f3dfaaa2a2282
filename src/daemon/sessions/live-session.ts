import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { LiveSession, SubAgent } from '../../contract/sessions.ts';
import type { Actor, Session } from './session.ts';

const MACHINE = hostname();

/** A session as the API shows it. */
export function toLiveSession(session: Session): LiveSession {
  const { state, main, process } = session;
  const place = session.root ?? session.cwd;
  return {
    id: session.id,
    seq: session.seq,
    status: statusOf(session),
    agentState: state,
    attention: session.attention,
    stateSince: session.stateSince,
    title: session.givenTitle ?? session.autoTitle ?? 'Untitled session',
    projectDisplayName: place ? basename(place) || place : 'Unknown project',
    projectPath: place,
    cwd: session.cwd,
    gitBranch: session.branch,
    model: session.model,
    permissionMode: session.permissionMode,
    currentActivity: state.group === 'autonomous' && session.activity ? session.activity : state.label,
    lastUserMessage: session.lastPrompt,
    turnCount: session.turns,
    subAgents: session.subagents.map(toSubAgent),
    progressItems: session.progress,
    tokens: null,
    cost: null,
    usageByModel: [],
    contextWindowTokens: null,
    contextWindowLimit: null,
    cacheWarmUntil: null,
    turnStartedAt: null,
    linesAdded: null,
    linesRemoved: null,
    toolCounts: {},
    stop: session.stop,
    queuedPrompts: session.queuedPrompts,
    machine: MACHINE,
    pid: process?.pid ?? null,
    clientVersion: session.clientVersion,
    transcriptPath: session.transcriptPath,
    startedAt: Math.min(session.startedAt, main.startedAt),
    lastActivityAt: session.lastActivityAt,
    endedAt: session.endedAt,
    endReason: session.endReason,
  };
}

function statusOf(session: Session): LiveSession['status'] {
  if (session.endedAt !== null) return 'done';
  return session.state.group === 'autonomous' ? 'working' : 'paused';
}

function toSubAgent({ id, parentId, type, description, state, since, startedAt, endedAt }: Actor): SubAgent {
  return {
    id,
    parentId,
    type,
    description,
    agentState: state,
    stateSince: since,
    startedAt,
    endedAt,
    model: null,
    tokens: null,
    cost: null,
    toolCalls: null,
  };
}
