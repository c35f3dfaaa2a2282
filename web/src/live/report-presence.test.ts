import { beforeEach, expect, test } from 'vitest';
import type { PresenceReport } from '../../../src/contract/presence.ts';
import { REPORT_EVERY_MS, reportPresence } from './report-presence.ts';

let now: number;
let sent: Array<PresenceReport & { keepalive: boolean }>;
let page: EventTarget & { visibilityState: DocumentVisibilityState };
let frame: EventTarget;
let report: () => void;
let tick: () => void;

beforeEach(() => {
  now = 1000;
  sent = [];
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const });
  frame = new EventTarget();
  report = reportPresence({
    tab: 't1',
    document: page as unknown as Document,
    window: frame as unknown as Window,
    send: async (one, options) => void sent.push({ ...one, ...options }),
    now: () => now,
    every: (run) => {
      tick = run;
    },
  });
});

function show(state: DocumentVisibilityState) {
  page.visibilityState = state;
  page.dispatchEvent(new Event('visibilitychange'));
}
const press = () => frame.dispatchEvent(new Event('keydown'));
const move = (screenX: number) => frame.dispatchEvent(Object.assign(new Event('pointermove'), { screenX, screenY: 0 }));

test('an untouched page is visible without presence', () => {
  report();
  expect(sent).toEqual([{ tab: 't1', visible: true, inputAgoMs: null, keepalive: false }]);
});

test('the first input is reported at once, then at most one every 15 s', () => {
  report();
  press();
  expect(sent).toMatchObject([{ inputAgoMs: null }, { inputAgoMs: 0 }]);
  sent.length = 0;
  for (let n = 0; n < 100; n++) {
    now += REPORT_EVERY_MS / 100 - 1;
    press();
  }
  expect(sent).toHaveLength(0);
  now += 200;
  press();
  expect(sent).toHaveLength(1);
});

test('a report without input does not delay the next input', () => {
  press();
  now += REPORT_EVERY_MS * 5;
  report();
  now += 10;
  press();
  expect(sent.map(({ inputAgoMs }) => inputAgoMs)).toEqual([0, REPORT_EVERY_MS * 5, 0]);
});

test('a still pointer is not input, however often the page changes under it', () => {
  for (let n = 0; n < 5; n++) move(7);
  expect(sent).toEqual([]);
  move(8);
  expect(sent).toHaveLength(1);
});

test('reports hiding and showing immediately, but not typing into a hidden page', () => {
  press();
  now += 5000;
  show('hidden');
  press();
  now += REPORT_EVERY_MS;
  press();
  show('visible');
  expect(sent.map(({ visible, inputAgoMs, keepalive }) => [visible, inputAgoMs, keepalive])).toEqual([
    [true, 0, false],
    [false, 5000, true],
    [true, 0, false],
  ]);
});

test('leaving the page is reported with a request that outlives it', () => {
  frame.dispatchEvent(new Event('pagehide'));
  expect(sent).toMatchObject([{ visible: false, keepalive: true }]);
});

test("a visible page reports its presence repeatedly, a hidden one doesn't", () => {
  tick();
  show('hidden');
  tick();
  expect(sent.map(({ visible }) => visible)).toEqual([true, false]);
});
