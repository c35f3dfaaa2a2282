import { expect, it } from 'vitest';
import { timeScale } from './time-scale.ts';
import { toTimeline } from './use-timeline.ts';

const HOUR = 3_600_000;

it('compresses a night of waiting, and keeps the order', () => {
  const times = [0, 60_000, 60_000 + 8 * HOUR, 120_000 + 8 * HOUR];
  const span = (index: number, state: string, to: number | null = times[index + 1]!) => ({
    group: 'autonomous' as const,
    state,
    label: state,
    callId: null,
    from: times[index]!,
    to,
  });
  const spans = [span(0, 'thinking'), span(1, 'idle'), span(2, 'thinking'), span(3, 'idle', null)];
  const lanes = [{ actorId: 'main', type: 'main', description: null, spans }];
  const scale = timeScale(
    toTimeline({ lanes, tools: [], from: 0, to: times.at(-1)!, isComplete: true }, times.at(-1)!),
  );
  const places = times.map(scale.at);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places[1]! - places[0]!).toBeGreaterThan(0.4);
  expect(places.at(-1)).toBeCloseTo(1);
  expect(scale.cuts).toMatchObject([{ ms: 8 * HOUR }]);
});

it('lasts until now while an actor is in some state, and ends with the last event after that', () => {
  const lane = (to: number | null) => ({
    actorId: 'a1',
    type: 'Explore',
    description: null,
    spans: [{ group: 'autonomous' as const, state: 'acting', label: 'x', callId: null, from: 1, to }],
  });
  expect(toTimeline({ lanes: [lane(null)], tools: [], from: 1, to: 5, isComplete: true }, 900)).toMatchObject({
    from: 1,
    to: 900,
  });
  expect(toTimeline({ lanes: [lane(5)], tools: [], from: 1, to: 5, isComplete: true }, 900)).toMatchObject({ to: 5 });
  expect(toTimeline({ lanes: [], tools: [], from: null, to: null, isComplete: true }, 7)).toEqual({
    lanes: [],
    tools: [],
    from: 7,
    to: 7,
  });
});
