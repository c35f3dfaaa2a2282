import { expect, it } from 'vitest';
import type { LiveModel } from '../sessions/live-model.ts';
import { type Refusal, Refusals } from './refusals.ts';

function recorder() {
  const details: string[] = [];
  let now = 0;
  const refusals = new Refusals({
    record: async ({ payload }) => details.push((payload as { detail: string }).detail),
    live: { get: () => undefined } as unknown as LiveModel,
    now: () => now,
    onError: (error) => {
      throw error;
    },
  });
  const note = (path: string) =>
    refusals.note({ sessionId: 's', by: 'curl (pid 1)', method: 'PUT', path, why: 'no' } satisfies Refusal);
  return { details, note, pass: (ms: number) => (now += ms) };
}

it("only counts a caller's repeated attempts beyond thirty a minute", () => {
  const { details, note, pass } = recorder();
  for (let at = 0; at < 500; at++) note('/api/rules');
  expect(details).toHaveLength(30);
  pass(60_000);
  note('/api/rules');
  expect(details.at(-1)).toContain('470 more before this were not logged');
});

it('still records another kind of attempt during a flood', () => {
  const { details, note } = recorder();
  for (let at = 0; at < 500; at++) note('/api/rules');
  note('/api/away');
  expect(details.at(-1)).toMatch(/^PUT \/api\/away: no/);
});

it('stays bounded when every attempt uses a different path', () => {
  const { details, note } = recorder();
  for (let at = 0; at < 5000; at++) note(`/api/x/${at}`);
  expect(details).toHaveLength(300);
});
