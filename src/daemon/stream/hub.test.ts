import { expect, it } from 'vitest';
import { type Change, toFrame } from './frames.ts';
import { type Batch, Hub } from './hub.ts';
import { LatestOfEach } from './latest.ts';

function change(seq: number, key = 's', kind: Change['kind'] = 'session_updated'): Change {
  const event = { seq, at: seq, sessionId: key, source: 'hook' as const, name: 'Stop', payload: {} };
  return { seq, kind, key, event, data: { id: key } };
}

const seqs = (batch: Batch) => batch.frames.map((frame) => frame.seq);
const missed = (hub: Hub, seq: number, head: number) => hub.changesAfter(seq, head)?.map((kept) => kept.seq);

it('sends immediately when quiet, and in one batch under load', async () => {
  const hub = new Hub({ keep: 10 });
  const batches: Batch[] = [];
  hub.add({ send: (batch) => batches.push(batch) });
  // enough clients that one event uses up a frame's budget
  for (let n = 0; n < 100; n++) hub.add({ send: () => undefined });
  hub.publish([change(1)]);
  expect(batches.map(seqs)).toEqual([[1]]);
  for (let seq = 2; seq <= 5; seq++) hub.publish([change(seq)]);
  await expect.poll(() => batches.map(seqs)).toEqual([[1], [2, 3, 4, 5]]);
  expect(
    batches[1]
      ?.sse()
      .toString()
      .match(/^id: \d+$/gm),
  ).toEqual(['id: 2', 'id: 3', 'id: 4', 'id: 5']);
  hub.close();
});

it("replays what a client missed, or reports that it can't", () => {
  const hub = new Hub({ keep: 3 });
  for (let seq = 1; seq <= 7; seq++) hub.publish([change(seq)]);
  expect(missed(hub, 5, 7)).toEqual([6, 7]);
  expect(missed(hub, 7, 7)).toEqual([]);
  expect(missed(hub, 1, 7)).toBeUndefined();
  expect(missed(hub, 99, 7)).toBeUndefined();
});

it('sends a new client nothing that was published before it connected', () => {
  const hub = new Hub({ keep: 3 });
  const early: Batch[] = [];
  hub.add({ send: (batch) => early.push(batch) });
  hub.publish([change(1)]);
  hub.publish([change(2)]);
  const late: Batch[] = [];
  hub.add({ send: (batch) => late.push(batch) });
  expect(early.flatMap((batch) => seqs(batch))).toEqual([1, 2]);
  expect(late).toEqual([]);
  hub.close();
});

it('keeps only the latest state of each session for a slow client', () => {
  const behind = new LatestOfEach();
  behind.add([change(1, 'a'), change(2, 'b'), change(3, 'a')].map((one) => toFrame(one).frame));
  behind.add(
    [change(4, 'c', 'session_discovered'), change(5, 'c', 'session_removed'), change(6, 'b', 'session_removed')].map(
      (one) => toFrame(one).frame,
    ),
  );
  expect(behind.take().map(({ seq, kind }) => [seq, kind])).toEqual([
    [3, 'session_updated'],
    [6, 'session_removed'],
  ]);
  expect(behind.size).toBe(0);
});

it('sends messages without a position to current clients in order, and keeps none of them', () => {
  const hub = new Hub({ keep: 10 });
  const sent: string[] = [];
  hub.announce('summary', { n: 0 });
  hub.add({ send: (batch) => sent.push(batch.sse().toString()) });
  hub.publish([change(1)]);
  hub.announce('summary', { n: 1 });
  expect(sent.at(-1)).toBe('event: summary\ndata: {"n":1}\n\n');
  expect(sent).toHaveLength(2);
  expect(missed(hub, 0, 1)).toEqual([1]);
  hub.close();
});

it('yields to other work between slices of a large audience, and keeps the order for every client', async () => {
  const hub = new Hub({ keep: 10 });
  const seen = Array.from({ length: 40 }, () => [] as number[]);
  const late: number[] = [];
  for (const own of seen)
    hub.add({
      send: (batch) => {
        const until = performance.now() + 1;
        while (performance.now() < until);
        own.push(...seqs(batch));
      },
    });
  hub.publish([change(1)]);
  expect(seen.filter((own) => own.length > 0).length).toBeLessThan(40);
  hub.publish([change(2)]);
  const leave = hub.add({ send: (batch) => late.push(...seqs(batch)) });
  hub.publish([change(3)]);
  await expect.poll(() => seen.every((own) => own.length === 3)).toBe(true);
  expect(seen).toEqual(seen.map(() => [1, 2, 3]));
  expect(late).toEqual([3]);
  leave();
  hub.close();
});
