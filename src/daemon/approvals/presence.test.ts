import { beforeEach, expect, test } from 'vitest';
import { ACTIVE_MS, Presence, SILENT_MS, STREAM_GONE_MS } from './presence.ts';

let now: number;
let presence: Presence;
beforeEach(() => {
  now = 1_000_000;
  presence = new Presence({ now: () => now });
});

const looks = (tab: string, inputAgoMs: number | null = 0) =>
  presence.report({ tab, visible: true, inputAgoMs }, 'desk');
const hides = (tab: string) => presence.report({ tab, visible: false, inputAgoMs: 0 }, 'desk');

test('an open stream alone does not count as presence', () => {
  presence.watch('a', 'desk');
  expect(presence.level()).toBe('none');
});

test('a visible page is active while its input is recent, then idle', () => {
  presence.watch('a', 'desk');
  expect(looks('a', null)).toBe('idle');
  expect(looks('a')).toBe('active');
  now += ACTIVE_MS;
  expect(presence.level()).toBe('active');
  now += 1;
  expect(presence.level()).toBe('idle');
  expect(looks('a', 30_000)).toBe('active');
});

test('a report that arrives late does not set the clock back', () => {
  presence.watch('a', 'desk');
  looks('a', 0);
  looks('a', ACTIVE_MS * 2);
  expect(presence.level()).toBe('active');
});

test('a hidden page no longer counts, and a second visible one counts on its own', () => {
  presence.watch('a', 'desk');
  presence.watch('b', 'desk');
  looks('a');
  looks('b', null);
  expect(hides('a')).toBe('idle');
  expect(looks('b')).toBe('active');
  expect(hides('b')).toBe('none');
});

test('a tab that dies silently expires with its stream', () => {
  const end = presence.watch('a', 'desk');
  looks('a');
  now += 10_000;
  end();
  end();
  now += STREAM_GONE_MS;
  expect(presence.level()).toBe('active');
  now += 1;
  expect(presence.level()).toBe('none');
});

test('a tab that reconnects stays, even if the new stream opens before the old one is known to be dead', () => {
  const first = presence.watch('a', 'desk');
  looks('a');
  const second = presence.watch('a', 'desk');
  first();
  now += STREAM_GONE_MS * 2;
  expect(presence.level()).toBe('active');
  second();
  now += STREAM_GONE_MS - 1;
  presence.watch('a', 'desk');
  now += STREAM_GONE_MS * 2;
  expect(presence.level()).toBe('active');
});

test('reports under ever-changing names are bounded', () => {
  for (let n = 0; n < 5000; n++) looks(`tab-${n}`);
  expect(presence.level()).toBe('active');
  now += STREAM_GONE_MS + 1;
  expect(presence.level()).toBe('none');
});

test("a tab that shares another tab's stream counts as long as it reports", () => {
  const end = presence.watch('leader', 'desk');
  looks('follower');
  now += SILENT_MS;
  expect(presence.level()).toBe('active');
  now += 1;
  expect(presence.level()).toBe('none');

  looks('follower');
  end();
  now += STREAM_GONE_MS + 1;
  expect(presence.level()).toBe('none');

  presence.watch('elsewhere', 'phone');
  looks('follower');
  now += STREAM_GONE_MS + 1;
  expect(presence.level()).toBe('none');
});
