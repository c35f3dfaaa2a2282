import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lifecycle } from '../../contract/orchestration.ts';
import { type Active, planStarts, type Situation, type Waiting } from './plan-starts.ts';

const one = (id: string, over: Partial<Waiting> = {}): Waiting => ({
  id,
  project: '/w/app',
  parentId: null,
  priority: 0,
  startAt: null,
  after: [],
  createdAt: 0,
  ...over,
});

function plan(waiting: Waiting[], over: Partial<Situation> & { outcomes?: Record<string, Lifecycle> } = {}) {
  const { outcomes = {}, ...rest } = over;
  return planStarts({
    waiting,
    active: [],
    limits: { machine: 2, project: null, projects: {} },
    allowed: 2,
    whyFewer: null,
    outcomeOf: (ref) => outcomes[ref],
    now: 1000,
    ...rest,
  });
}

test('higher priorities first, then the older ones, up to the limit', () => {
  const waiting = [
    one('late', { createdAt: 2 }),
    one('early', { createdAt: 1 }),
    one('urgent', { createdAt: 3, priority: 5 }),
  ];
  expect(plan(waiting)).toEqual({
    start: ['urgent', 'early'],
    impossible: [],
    waits: [{ id: 'late', why: 'At the limit of 2 sessions at once' }],
  });
});

test('one that waits for its project, its time or another session lets those behind it start', () => {
  const waiting = [
    one('project', { priority: 9, project: '/w/full' }),
    one('timed', { priority: 8, startAt: 2000 }),
    one('dependent', { priority: 7, after: ['build', 'lint'] }),
    one('free'),
  ];
  const { start, waits } = plan(waiting, {
    active: [{ id: 'x', project: '/w/full', parentId: null }],
    limits: { machine: 2, project: null, projects: { '/w/full': 1 } },
    outcomes: { build: 'running', lint: 'succeeded' },
  });
  expect(start).toEqual(['free']);
  expect(waits).toEqual([
    { id: 'project', why: "At the project's limit of 1 session at once" },
    { id: 'timed', why: 'Waiting for its start time' },
    { id: 'dependent', why: 'Waiting for build to succeed' },
  ]);
  expect(plan([one('timed', { startAt: 1000 })]).start).toEqual(['timed']);
});

test.each([
  ['failed', 'failed'],
  ['cancelled', 'was canceled'],
  [undefined, 'no longer exists'],
] as const)('one whose dependency is %s can never start', (outcome, text) => {
  const { impossible } = plan([one('a', { after: ['b'] })], { outcomes: outcome ? { b: outcome } : {} });
  expect(impossible).toEqual([{ id: 'a', why: `It was waiting for b, which ${text}.` }]);
});

test('a child takes the slot of the parent that waits for it, so neither waits forever', () => {
  const active = ['p1', 'p2'].map((id): Active => ({ id, project: null, parentId: null }));
  const { start, waits } = plan(
    [one('c1', { parentId: 'p1' }), one('c2', { parentId: 'p1' }), one('c3', { parentId: 'p2' })],
    { active },
  );
  expect(start).toEqual(['c1', 'c3']);
  expect(waits).toMatchObject([{ id: 'c2' }]);
});

test('paused, nothing starts, and each says why', () => {
  expect(plan([one('a')], { allowed: 0, whyFewer: 'Paused by Ann' }).waits).toEqual([
    { id: 'a', why: 'Paused by Ann' },
  ]);
});

test('never more than the limits, whatever waits', () => {
  const project = fc.constantFrom('/a', '/b', null);
  const item = fc.record({ project, priority: fc.integer({ min: -2, max: 2 }), createdAt: fc.nat(5) });
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 40 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 3 }),
      (items, machine, own) => {
        const waiting = items.map((fields, index) => one(`s${index}`, fields));
        const limits = { machine, project: null, projects: { '/a': own } };
        const { start, waits } = plan(waiting, { limits, allowed: machine });
        const started = waiting.filter(({ id }) => start.includes(id));
        expect(start.length).toBeLessThanOrEqual(machine);
        expect(started.filter((each) => each.project === '/a').length).toBeLessThanOrEqual(own);
        expect(start.length + waits.length).toBe(items.length);
        // a slot stays free only if every waiting session is held back by its project
        if (start.length < machine) expect(waits.every(({ why }) => why.startsWith("At the project's"))).toBe(true);
      },
    ),
  );
});
