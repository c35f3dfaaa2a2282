import { describe, expect, it } from 'vitest';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { aSession } from '../live/session-for-test.ts';
import { QUIET_AFTER_MS } from '../sessions/quiet.ts';
import { createBoardStore } from './board-store.ts';

function setUp(initial: LiveSession[] = []) {
  const sessions = new Map<string, LiveSession>();
  const listeners = new Set<() => void>();
  const time = { now: 1_000_000 };
  const board = createBoardStore({
    store: {
      all: () => sessions,
      isReady: () => true,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    now: () => time.now,
  });
  const put = (...changed: LiveSession[]) => {
    for (const session of changed) sessions.set(session.id, session);
    for (const listener of listeners) listener();
  };
  put(...initial);
  const ids = () => {
    const { needs_you, autonomous, delivered } = board.snapshot().columns;
    return { needs_you: needs_you.ids, autonomous: autonomous.ids, delivered: delivered.ids };
  };
  return { board, put, ids, time };
}

const waiting = (id: string, state: string, stateSince = 1, over: Partial<LiveSession> = {}) =>
  aSession(id, { agentState: { group: 'needs_you', state, label: '' }, attention: 'settled', stateSince, ...over });
const running = (id: string, lastActivityAt: number) => aSession(id, { lastActivityAt });

describe('Needs You', () => {
  it('has the most urgent first, and the longest waiting first among equals', () => {
    const { ids } = setUp([
      waiting('idle', 'idle'),
      waiting('new', 'needs_permission', 9),
      waiting('future', 'a_future_state'),
      waiting('error', 'error'),
      waiting('old', 'needs_permission', 2),
      waiting('question', 'awaiting_input'),
    ]);
    expect(ids().needs_you).toEqual(['old', 'new', 'question', 'error', 'idle', 'future']);
  });

  it('takes a card only once its state has settled', () => {
    const { ids, put } = setUp([waiting('a', 'error', 1, { attention: 'settling' })]);
    expect(ids()).toEqual({ needs_you: [], autonomous: ['a'], delivered: [] });
    put(waiting('a', 'error', 1));
    expect(ids()).toEqual({ needs_you: ['a'], autonomous: [], delivered: [] });
  });
});

describe('Running', () => {
  it('of a large fleet is re-sorted at most once a second; new sessions go to the end meanwhile', () => {
    const { ids, put, time } = setUp(Array.from({ length: 40 }, (_, n) => running(`s${n}`, 900_000 + n)));
    time.now += 500;
    put(running('late', time.now));
    expect([ids().autonomous[0], ids().autonomous.at(-1)]).toEqual(['s39', 'late']);
    time.now += 500;
    put(running('later', time.now));
    expect(ids().autonomous.slice(0, 3)).toEqual(['later', 'late', 's39']);
  });

  it('of a fleet of hundreds keeps its order for longer', () => {
    const { ids, put, time } = setUp(Array.from({ length: 400 }, (_, n) => running(`s${n}`, 900_000 + n)));
    time.now += 3_900;
    put(running('late', time.now));
    expect(ids().autonomous.at(-1)).toBe('late');
    time.now += 200;
    put(running('later', time.now));
    expect(ids().autonomous.slice(0, 2)).toEqual(['later', 'late']);
  });

  it('starts with the latest activity first, and active cards then keep their places', () => {
    const { ids, put, time } = setUp([running('a', 999_000), running('b', 999_500)]);
    expect(ids().autonomous).toEqual(['b', 'a']);
    time.now += 1_000;
    put(running('a', time.now));
    expect(ids().autonomous).toEqual(['b', 'a']);
    put(running('new', time.now));
    expect(ids().autonomous).toEqual(['new', 'b', 'a']);
  });

  it('moves a quiet card down, and back up when it is active again', () => {
    const { board, ids, put, time } = setUp([running('a', 999_000), running('b', 999_500)]);
    time.now += QUIET_AFTER_MS;
    put(running('a', time.now));
    board.refresh();
    expect(ids().autonomous).toEqual(['a', 'b']);
    time.now += 5_000;
    put(running('b', time.now));
    expect(ids().autonomous).toEqual(['b', 'a']);
  });
});

it('has the last to finish first under Done', () => {
  const done = (id: string, over: Partial<LiveSession>) =>
    aSession(id, { agentState: { group: 'delivered', state: 'session_ended', label: '' }, ...over });
  const { ids } = setUp([done('a', { endedAt: 5 }), done('b', { endedAt: 9 }), done('task', { stateSince: 7 })]);
  expect(ids().delivered).toEqual(['b', 'task', 'a']);
});

describe('the filter', () => {
  it('requires every word, in title, project, branch or state, and keeps the totals', () => {
    const { board, ids } = setUp([
      aSession('a', { title: 'Fix Login', gitBranch: 'feature/auth' }),
      aSession('b', { title: 'Fix logout', projectDisplayName: 'auth-server' }),
      waiting('c', 'awaiting_input', 1, { projectDisplayName: 'auth' }),
    ]);
    board.setFilter('fix AUTH');
    expect(ids()).toEqual({ needs_you: [], autonomous: ['a', 'b'], delivered: [] });
    board.setFilter('question auth');
    expect(ids().needs_you).toEqual(['c']);
    expect(board.snapshot().columns.autonomous.total).toBe(2);
    board.setFilter('');
    expect(ids().autonomous).toHaveLength(2);
  });
});

it('keeps its objects and its silence while no card moves', () => {
  const { board, put } = setUp([running('a', 999_000)]);
  const before = board.snapshot();
  let heard = 0;
  board.subscribe(() => heard++);
  put(running('a', 999_900));
  expect([board.snapshot(), heard]).toEqual([before, 0]);
  expect(board.snapshot()).toBe(before);
});
