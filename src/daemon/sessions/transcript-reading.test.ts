import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveSession } from '../../contract/sessions.ts';
import { hookEventNames } from '../drivers/terminal/settings/hook-events.ts';
import { translate } from '../drivers/to-agent-events.ts';
import type { Draft, JournalEvent } from '../journal/journal.ts';
import { LiveModel } from './live-model.ts';
import { changedIn, type Reading, readingDraft } from './transcript-reading.ts';

const T0 = 1_000_000;
const tokens = {
  inputTokens: 1,
  outputTokens: 2,
  cacheReadTokens: 3,
  cacheCreationTokens: 4,
  cacheCreation1hTokens: 0,
};
const reading: Reading = {
  givenTitle: null,
  title: 'From the file',
  firstPrompt: 'do this first',
  lastPrompt: 'do it',
  lastMessage: 'the answer',
  branch: 'main',
  model: 'claude-opus-5-5',
  permissionMode: 'plan',
  tokens,
  cost: null,
  usageByModel: [{ model: 'claude-opus-5-5', tokens, cost: null }],
  otherUsage: [],
  inherited: null,
  uncounted: null,
  contextWindowTokens: 8,
  contextWindowLimit: 1_000_000,
  cacheWarmUntil: T0 + 300_000,
  turnStartedAt: T0,
  linesAdded: 3,
  linesRemoved: 1,
  toolCounts: { Bash: 2 },
  progress: [{ id: '1', title: 'One', status: 'in_progress' }],
  subagents: { a1: { model: 'claude-haiku-4-5', lastMessage: 'Found it', tokens, cost: null, toolCalls: 5 } },
};

/** Journal positions and times as without readings, which must leave no trace beyond what they report. */
function fold(drafts: (Draft & { at: number })[]): LiveModel {
  const model = new LiveModel();
  drafts.forEach((draft, index) => {
    model.apply(translate({ ...draft, seq: index + 1 } as JournalEvent));
  });
  return model;
}

const hook = (name: string, more: Record<string, unknown> = {}): Draft => {
  const payload = { session_id: 's', cwd: '/w/app', hook_event_name: name, ...more };
  return { sessionId: 's', source: 'hook', name, payload };
};
const timed = (drafts: Draft[]) => drafts.map((draft, index) => ({ ...draft, at: T0 + index }));
const view = (drafts: Draft[]) => fold(timed(drafts)).view('s');

describe('data from a transcript', () => {
  it('is on the card, with the subagents that the hooks know', () => {
    const shown = view([
      hook('UserPromptSubmit', { prompt: 'do it' }),
      hook('PreToolUse', { tool_name: 'Agent', tool_use_id: 'x', tool_input: { description: 'helper' } }),
      hook('SubagentStart', { agent_id: 'a1', agent_type: 'Explore' }),
      readingDraft('s', reading),
    ]);
    expect(shown).toMatchObject({
      tokens,
      contextWindowTokens: 8,
      contextWindowLimit: 1_000_000,
      cacheWarmUntil: T0 + 300_000,
      turnStartedAt: T0,
      linesAdded: 3,
      linesRemoved: 1,
      toolCounts: { Bash: 2 },
      progressItems: [{ id: '1', title: 'One', status: 'in_progress' }],
      model: 'claude-opus-5-5',
      gitBranch: 'main',
      permissionMode: 'plan',
      title: 'do it',
      firstUserMessage: 'do this first',
    });
    expect(shown?.lastAgentMessage).toBe('the answer');
    expect(shown?.subAgents[0]).toMatchObject({
      id: 'a1',
      lastMessage: 'Found it',
      model: 'claude-haiku-4-5',
      tokens,
      toolCalls: 5,
    });
  });

  it('never overrides what hooks reported', () => {
    const said = hook('SessionStart', { source: 'startup', model: 'claude-sonnet-5', permission_mode: 'default' });
    const shown = view([said, hook('UserPromptSubmit', { prompt: 'the prompt' }), readingDraft('s', reading)]);
    expect(shown).toMatchObject({
      model: 'claude-sonnet-5',
      permissionMode: 'default',
      lastUserMessage: 'the prompt',
      title: 'the prompt',
    });
  });

  it("sets the title only if the operator didn't, except for a title set in the client", () => {
    const said = hook('UserPromptSubmit', { prompt: 'the prompt' });
    const named = readingDraft('s', { ...reading, givenTitle: 'my good name' });
    expect(view([said, named])?.title).toBe('my good name');
    const titled: Draft = { sessionId: 's', source: 'operator', name: 'session.titled', payload: { title: 'Mine' } };
    expect(view([said, named, titled])?.title).toBe('Mine');
  });

  it('arrives in parts: fields that are not named stay', () => {
    const later = readingDraft('s', { linesAdded: 9, subagents: { a2: reading.subagents.a1! } });
    const model = fold(timed([hook('Stop'), readingDraft('s', reading), later]));
    expect(model.get('s')?.reading).toEqual({
      ...reading,
      linesAdded: 9,
      subagents: { a1: reading.subagents.a1, a2: reading.subagents.a1 },
    });
  });
});

describe('what changed in a reading', () => {
  it('is everything at first, and nothing when read again', () => {
    expect(changedIn(null, reading)).toMatchObject({ tokens, model: 'claude-opus-5-5' });
    expect(changedIn(reading, structuredClone(reading))).toBeUndefined();
  });

  it('names the fields and the subagents that are new', () => {
    const next = structuredClone(reading);
    next.linesAdded = 4;
    next.subagents.a2 = next.subagents.a1!;
    expect(changedIn(reading, next)).toEqual({ linesAdded: 4, subagents: { a2: next.subagents.a2 } });
  });
});

const arbitraryHook = fc
  .record({
    name: fc.constantFrom(...hookEventNames),
    more: fc.record(
      {
        agent_id: fc.constantFrom('a1', 'a2'),
        tool_name: fc.constantFrom('Bash', 'Agent', 'AskUserQuestion', 'ExitPlanMode'),
        tool_use_id: fc.constantFrom('t1', 't2'),
        prompt: fc.constant('go on'),
        source: fc.constantFrom('startup', 'resume', 'compact', 'clear'),
        notification_type: fc.constantFrom('idle_prompt', 'permission_prompt'),
        background_tasks: fc.constantFrom([], [{ id: 'a1', type: 'subagent', status: 'running' }]),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ name, more }) => hook(name, more));
const arbitraryOther = fc.constantFrom<Draft>(
  { sessionId: 's', source: 'watch', name: 'process.seen', payload: { pid: 7, status: 'idle' } },
  { sessionId: 's', source: 'watch', name: 'process.gone', payload: { pid: null } },
  { sessionId: 's', source: 'watch', name: 'status.corrected', payload: { status: 'idle' } },
  { sessionId: 's', source: 'watch', name: 'status.corrected', payload: { status: 'busy' } },
  { sessionId: 's', source: 'clock', name: 'attention.settled', payload: {} },
  { sessionId: 's', source: 'clock', name: 'session.left', payload: {} },
  { sessionId: 's', source: 'operator', name: 'session.deleted', payload: {} },
  { sessionId: 's', source: 'operator', name: 'session.dismissed', payload: {} },
);
const arbitraryReading = fc
  .dictionary(
    fc.oneof(
      fc.constantFrom('state', 'main', 'attention', 'endedAt', 'gone', 'lastActivityAt', 'agentState', 'status'),
      fc.constantFrom(...Object.keys(reading)),
    ),
    fc.anything(),
  )
  .map((payload) => ({ ...readingDraft('s', reading), payload: { ...reading, ...sane(payload) } }) as Draft);

/** Data between our own threads has the right types; what matters here is which fields it names. */
function sane(payload: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !(key in reading)));
}

/** A session's activity and facts, without what comes from transcripts. */
function conduct(model: LiveModel) {
  const session = model.get('s');
  if (!session) return 'not there';
  const { seq, reading: _, ...rest } = session;
  const { agentState, status, attention, stateSince, currentActivity, subAgents } = model.view('s') as LiveSession;
  const states = subAgents.map((agent) => agent.agentState);
  return { ...rest, view: { agentState, status, attention, stateSince, currentActivity, states } };
}

it('no reading changes state, group, attention or status, wakes an ended session, or brings back one that left', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(arbitraryHook, arbitraryOther), { maxLength: 25 }),
      fc.array(fc.tuple(fc.nat(25), arbitraryReading), { minLength: 1, maxLength: 8 }),
      (events, readings) => {
        const drafts = timed(events);
        const withReadings = drafts.flatMap((draft, index) => [
          draft,
          ...readings.filter(([at]) => at === index).map(([, one]) => ({ ...one, at: draft.at + 0.5 })),
        ]);
        const plain = fold(drafts);
        const read = fold(withReadings);
        expect(conduct(read)).toEqual(conduct(plain));
        expect(read.counts()).toEqual(plain.counts());
        const patience = { settleMs: 2000, keepEndedMs: 10_000 };
        for (const later of [T0, T0 + 2010, T0 + 20_000]) {
          expect(read.due(later, patience)).toEqual(plain.due(later, patience));
        }
      },
    ),
    { numRuns: 200 },
  );
});

it('reading a missing session leaves nothing behind', () => {
  const model = new LiveModel();
  const change = model.apply(translate({ ...readingDraft('s', reading), seq: 1, at: T0 }));
  expect(change).toBeUndefined();
  expect(model.views()).toEqual([]);
});
