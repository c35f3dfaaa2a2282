import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StreamEvent } from '../../../src/contract/stream.ts';
import { connectLive, type Probe, type StreamListener, type StreamSource } from './connect.ts';
import type { Received } from './store.ts';

/** A stream whose server is the test. */
class ScriptedSource implements StreamSource {
  isClosed = false;
  readonly #listener: StreamListener;

  constructor(listener: StreamListener) {
    this.#listener = listener;
  }
  accept() {
    this.say('heartbeat');
  }
  say(type: StreamEvent, data: object = {}, lastEventId = '') {
    this.#listener.onMessage({ type, data: JSON.stringify(data), lastEventId });
  }
  drop() {
    this.isClosed = true;
    this.#listener.onEnd();
  }
  close() {
    this.isClosed = true;
  }
}

function setUp() {
  const sources: ScriptedSource[] = [];
  const probes: number[] = [];
  const opened: Array<number | undefined> = [];
  const received: Array<[StreamEvent, Received<StreamEvent>]> = [];
  const world = { answer: 'welcome' as Probe };
  const note = (event: StreamEvent) => (message: Received<StreamEvent>) => void received.push([event, message]);
  const connection = connectLive({
    receive: {
      summary: note('summary'),
      session_discovered: note('session_discovered'),
      session_updated: note('session_updated'),
      session_removed: note('session_removed'),
      session_stopping: note('session_stopping'),
      approval_request: note('approval_request'),
      approval_updated: note('approval_updated'),
      approval_decided: note('approval_decided'),
      approval_delivery: note('approval_delivery'),
      rules_changed: note('rules_changed'),
      agents_changed: note('agents_changed'),
      worktrees_changed: note('worktrees_changed'),
      comments_changed: note('comments_changed'),
      queue_changed: note('queue_changed'),
      fan_outs_changed: note('fan_outs_changed'),
      access_changed: note('access_changed'),
      notify_changed: note('notify_changed'),
      reviews_changed: note('reviews_changed'),
      message_delta: note('message_delta'),
      shells_changed: note('shells_changed'),
      heartbeat: note('heartbeat'),
    },
    open: (after, listener) => {
      opened.push(after);
      const source = new ScriptedSource(listener);
      sources.push(source);
      return source;
    },
    probe: async () => {
      probes.push(Date.now());
      return world.answer;
    },
  });
  connection.start();
  const live = () => {
    const source = sources.at(-1)!;
    if (source.isClosed) throw new Error('no stream is being opened');
    source.accept();
  };
  return { connection, sources, opened, probes, received, world, live, phase: () => connection.phase().name };
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const elapse = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a stream', () => {
  it('passes messages on with their journal position', () => {
    const { sources, received, phase } = setUp();
    expect(phase()).toBe('connecting');
    sources[0]!.accept();
    sources[0]!.say('session_removed', { sessionId: 'a' }, '42');
    expect(phase()).toBe('live');
    expect(received.at(-1)).toEqual(['session_removed', { data: { sessionId: 'a' }, seq: 42 }]);
  });

  it('that drops is reopened from where it was', async () => {
    const { sources, opened, live, phase } = setUp();
    live();
    sources[0]!.say('session_removed', { sessionId: 'a' }, '42');
    sources[0]!.drop();
    expect(phase()).toBe('reconnecting');
    await elapse(0);
    expect(sources).toHaveLength(2);
    live();
    expect(phase()).toBe('live');
    expect(opened).toEqual([undefined, 42]);
  });

  it('that was replaced is ignored', async () => {
    const { sources, received, live, phase } = setUp();
    live();
    sources[0]!.drop();
    await elapse(0);
    live();
    sources[0]!.say('session_removed', { sessionId: 'a' }, '42');
    sources[0]!.drop();
    await elapse(1_000);
    expect([phase(), sources.length]).toEqual(['live', 2]);
    expect(received.map(([event]) => event)).toEqual(['heartbeat', 'heartbeat']);
  });

  it('that goes silent is reopened, and a heartbeat keeps it open', async () => {
    const { sources, live } = setUp();
    live();
    for (let i = 0; i < 4; i++) {
      await elapse(15_000);
      sources[0]!.say('heartbeat');
    }
    expect(sources).toHaveLength(1);
    await elapse(40_000);
    expect(sources).toHaveLength(2);
  });
});

describe('a daemon that restarts', () => {
  it.each([100, 1_000, 3_000, 7_000])('for %d ms is found within two seconds of its return', async (away) => {
    const { sources, world, live, phase } = setUp();
    live();
    world.answer = 'unreachable';
    sources[0]!.drop();
    await elapse(away);
    expect(phase()).toBe('reconnecting');
    world.answer = 'welcome';
    await elapse(2_000);
    live();
    expect([sources.length, phase()]).toEqual([2, 'live']);
  });

  it('is polled less and less often, down to every 30 s, and immediately when the tab comes back', async () => {
    const { connection, sources, world, live, probes } = setUp();
    live();
    world.answer = 'unreachable';
    sources[0]!.drop();
    await elapse(600_000);
    const gaps = probes.slice(1).map((at, i) => at - probes[i]!);
    expect(gaps[0]).toBe(150);
    expect(gaps.every((gap, i) => gap >= (gaps[i - 1] ?? 0))).toBe(true);
    expect(gaps.at(-1)).toBe(30_000);
    world.answer = 'welcome';
    connection.nudge();
    await elapse(0);
    expect(sources).toHaveLength(2);
  });

  it("isn't hammered when it accepts and hangs up", async () => {
    const { sources, live } = setUp();
    live();
    for (let i = 0; i < 200; i++) {
      const last = sources.at(-1)!;
      if (!last.isClosed) last.drop();
      await elapse(100);
    }
    expect(sources.length).toBeLessThan(35);
  });
});

describe('signing in', () => {
  it("asks to sign in when the daemon doesn't know the browser, and retries nothing until then", async () => {
    const { connection, sources, opened, world, phase, probes } = setUp();
    world.answer = 'signed_out';
    sources[0]!.drop();
    await elapse(0);
    expect(phase()).toBe('signed_out');
    await elapse(120_000);
    connection.nudge();
    await elapse(120_000);
    expect([sources.length, probes.length]).toEqual([1, 1]);
    connection.start();
    expect(opened.at(-1)).toBeUndefined();
    sources[1]!.accept();
    expect(phase()).toBe('live');
  });
});

it('ignores a nudge while connected, and reconnects on one after a long sleep', async () => {
  const { connection, sources, live } = setUp();
  connection.nudge();
  live();
  connection.nudge();
  await elapse(1_000);
  expect(sources).toHaveLength(1);
  const asleep = Date.now() - 1_000;
  vi.setSystemTime(Date.now() + 3_600_000);
  connection.nudge();
  // The data is as old as the last message, not as the wake-up.
  expect(connection.phase()).toEqual({ name: 'reconnecting', since: asleep });
  await elapse(0);
  expect(sources).toHaveLength(2);
});

it('stops for good', async () => {
  const { connection, sources, live } = setUp();
  live();
  sources[0]!.drop();
  connection.pause();
  await elapse(120_000);
  expect([sources.length, sources[0]!.isClosed]).toEqual([1, true]);
});
