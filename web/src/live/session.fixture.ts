import type { LiveSession } from '../../../src/contract/sessions.ts';

/** A session for a test: name what the test is about, the rest is unremarkable. */
export function aSession(id: string, over: Partial<LiveSession> = {}): LiveSession {
  return {
    id,
    seq: 1,
    status: 'working',
    agentState: { group: 'autonomous', state: 'thinking', label: 'Thinking...' },
    attention: 'none',
    stateSince: 1_000,
    title: `Session ${id}`,
    projectDisplayName: 'project',
    projectPath: null,
    cwd: null,
    gitBranch: null,
    model: null,
    permissionMode: null,
    currentActivity: '',
    lastUserMessage: null,
    turnCount: 1,
    subAgents: [],
    progressItems: [],
    tokens: null,
    cost: null,
    contextWindowTokens: null,
    stop: null,
    queuedPrompts: 0,
    pid: null,
    clientVersion: null,
    transcriptPath: null,
    startedAt: 1_000,
    lastActivityAt: 1_000,
    endedAt: null,
    endReason: null,
    ...over,
  };
}
