import { describe, expect, it } from 'vitest';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import type { StreamData } from '../../../src/contract/stream.ts';
import { aSession } from './session-for-test.ts';
import { createLiveStore, type LiveStore, type Receive } from './store.ts';

const NO_TOTALS = { totalCostTodayUsd: null, totalTokensToday: null };

function setUp() {
  const frames: Array<() => void> = [];
  const store = createLiveStore({ schedule: (flush) => frames.push(flush) });
  const send = <E extends keyof LiveStore['receive']>(event: E, data: StreamData<E>, seq = Number.NaN) =>
    (store.receive as Receive)[event]({ data, seq });
  const picture = (sessions: LiveSession[]) =>
    send('summary', { needsYouCount: 0, autonomousCount: 0, deliveredCount: 0, ...NO_TOTALS, reset: true, sessions });
  const frame = () => {
    for (const flush of frames.splice(0)) flush();
  };
  const ids = () => [...store.all().keys()];
  return { store, send, picture, frame, frames, ids };
}

describe('a snapshot', () => {
  it('appears in the next frame', () => {
    const { store, picture, frame, ids } = setUp();
    picture([aSession('a'), aSession('b')]);
    expect([ids(), store.isReady()]).toEqual([[], false]);
    frame();
    expect([ids(), store.isReady()]).toEqual([['a', 'b'], true]);
  });

  it('without sessions makes the board ready and empty', () => {
    const { store, picture, frame, ids } = setUp();
    picture([aSession('a')]);
    frame();
    picture([]);
    frame();
    expect([ids(), store.isReady()]).toEqual([[], true]);
  });

  it('drops sessions that are no longer in it', () => {
    const { picture, frame, ids } = setUp();
    picture([aSession('a'), aSession('b')]);
    frame();
    picture([aSession('b', { seq: 9 })]);
    frame();
    expect(ids()).toEqual(['b']);
  });

  it('is accepted even if the journal was recreated', () => {
    const { store, picture, frame } = setUp();
    picture([aSession('a', { seq: 500, title: 'old' })]);
    picture([aSession('a', { seq: 2, title: 'new' })]);
    frame();
    expect(store.get('a')?.title).toBe('new');
  });
});

describe('an event', () => {
  it('that is not newer than what we have is ignored', () => {
    const { store, send, picture, frame } = setUp();
    picture([aSession('a', { seq: 5, title: 'five' })]);
    frame();
    const before = store.get('a');
    send('session_updated', aSession('a', { seq: 5, title: 'five again' }), 5);
    send('session_updated', aSession('a', { seq: 4, title: 'four' }), 4);
    frame();
    expect(store.get('a')).toBe(before);
  });

  it('that is late does not bring an ended session back, a newer one does', () => {
    const { send, picture, frame, ids } = setUp();
    picture([aSession('a', { seq: 5 })]);
    send('session_removed', { sessionId: 'a' }, 7);
    send('session_updated', aSession('a', { seq: 6 }), 6);
    frame();
    expect(ids()).toEqual([]);
    send('session_discovered', aSession('a', { seq: 8 }), 8);
    frame();
    expect(ids()).toEqual(['a']);
    send('session_removed', { sessionId: 'a' }, 7);
    frame();
    expect(ids()).toEqual(['a']);
  });
});

describe('listeners', () => {
  it('are notified once per frame, and about one session only when it changed', () => {
    const { store, send, picture, frame, frames } = setUp();
    picture([aSession('a'), aSession('b')]);
    frame();
    const b = store.get('b');
    const heard = { all: 0, a: 0, b: 0 };
    store.subscribe(() => heard.all++);
    const offA = store.subscribeTo('a', () => heard.a++);
    store.subscribeTo('b', () => heard.b++);
    for (let seq = 2; seq < 50; seq++) send('session_updated', aSession('a', { seq }), seq);
    expect(frames).toHaveLength(1);
    expect(store.get('a')?.seq).toBe(1);
    frame();
    expect(heard).toEqual({ all: 1, a: 1, b: 0 });
    expect([store.get('a')?.seq, store.get('b')]).toEqual([49, b]);
    offA();
    send('session_updated', aSession('a', { seq: 50 }), 50);
    frame();
    expect(heard).toEqual({ all: 2, a: 1, b: 0 });
  });
});
