import { expect, it } from 'vitest';
import { type Change, toFrame } from './frames.ts';
import { LatestOfEach } from './latest.ts';

let seq = 0;
const frame = (kind: Change['kind'], key: string) =>
  toFrame({ seq: ++seq, kind, key, data: {}, event: undefined as never }).frame;

it('drops sessions that came and went while the client slept', () => {
  const latest = new LatestOfEach();
  for (let n = 0; n < 100; n++) {
    latest.add([frame('session_discovered', `s${n}`), frame('session_updated', `s${n}`)]);
    latest.add([frame('approval_request', `approval:${n}`), frame('approval_decided', `approval:${n}`)]);
    latest.add([frame('session_updated', `s${n}`), frame('session_removed', `s${n}`)]);
  }
  expect(latest.size).toBe(0);
});

it('removes what the client knew, and what it learned since', () => {
  const latest = new LatestOfEach();
  latest.add([frame('session_updated', 'known'), frame('session_removed', 'known')]);
  latest.add([frame('session_discovered', 'new'), frame('session_updated', 'new')]);
  expect(latest.take().map(({ kind, key }) => [kind, key])).toEqual([
    ['session_removed', 'known'],
    ['session_updated', 'new'],
  ]);
  latest.add([frame('session_removed', 'new')]);
  expect(latest.take().map(({ kind }) => kind)).toEqual(['session_removed']);
});
