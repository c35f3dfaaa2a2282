import type { ProgressItem } from '../../contract/sessions.ts';
import type { Cost, Inherited, ModelUsage, Tokens, Uncounted } from '../../contract/usage.ts';
import type { Draft, JournalEvent } from '../journal/journal.ts';
import type { Session } from './session.ts';

/** What a session's transcripts say: its own and its subagents'. */
export interface Reading {
  /** Set by a person, in the client. */
  givenTitle: string | null;
  title: string | null;
  firstPrompt: string | null;
  lastPrompt: string | null;
  lastMessage: string | null;
  branch: string | null;
  model: string | null;
  permissionMode: string | null;
  tokens: Tokens | null;
  cost: Cost | null;
  usageByModel: ModelUsage[];
  otherUsage: ModelUsage[];
  inherited: Inherited | null;
  uncounted: Uncounted | null;
  contextWindowTokens: number | null;
  contextWindowLimit: number | null;
  cacheWarmUntil: number | null;
  turnStartedAt: number | null;
  linesAdded: number;
  linesRemoved: number;
  toolCounts: Record<string, number>;
  progress: ProgressItem[];
  subagents: Record<string, SubagentReading>;
}

/** Usage is left out until it is known which part another session has counted. */
export type ReadingUpdate = Omit<Reading, Spending> & Partial<Pick<Reading, Spending>>;
type Spending = 'tokens' | 'cost' | 'usageByModel' | 'otherUsage' | 'inherited' | 'uncounted';

export interface SubagentReading {
  model: string | null;
  lastMessage: string | null;
  tokens: Tokens;
  cost: Cost | null;
  toolCalls: number;
}

const READ = 'transcript.read';

/** A payload has what changed, and only the subagents that did. */
export function readingDraft(sessionId: string, changed: Partial<Reading>): Draft {
  return { sessionId, source: 'watch' as const, name: READ, payload: { ...changed } };
}

export function isReading({ source, name }: JournalEvent): boolean {
  return source === 'watch' && name === READ;
}

/** Only hooks decide what a session is doing: a transcript is written late and read later, so it just adds details. */
export function withReading(session: Session, { payload, seq }: JournalEvent): Session {
  const changed = payload as Partial<Reading>;
  const before = session.reading;
  const subagents = { ...before?.subagents, ...changed.subagents };
  return { ...session, seq, reading: { ...NOTHING_READ, ...before, ...changed, subagents } };
}

/** What is new in a reading; undefined if nothing is. */
export function changedIn(before: Reading | null, next: ReadingUpdate): Partial<Reading> | undefined {
  const known = before ?? NOTHING_READ;
  const changed: Record<string, unknown> = {};
  for (const key of Object.keys(next) as (keyof Reading)[]) {
    if (key === 'subagents' || next[key] === undefined || isSame(known[key], next[key])) continue;
    changed[key] = next[key];
  }
  const subagents = Object.entries(next.subagents).filter(([id, one]) => !isSame(known.subagents[id], one));
  if (subagents.length > 0) changed.subagents = Object.fromEntries(subagents);
  return Object.keys(changed).length > 0 ? (changed as Partial<Reading>) : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

const NOTHING_READ: Reading = {
  givenTitle: null,
  title: null,
  firstPrompt: null,
  lastPrompt: null,
  lastMessage: null,
  branch: null,
  model: null,
  permissionMode: null,
  tokens: null,
  cost: null,
  usageByModel: [],
  otherUsage: [],
  inherited: null,
  uncounted: null,
  contextWindowTokens: null,
  contextWindowLimit: null,
  cacheWarmUntil: null,
  turnStartedAt: null,
  linesAdded: 0,
  linesRemoved: 0,
  toolCounts: {},
  progress: [],
  subagents: {},
};
