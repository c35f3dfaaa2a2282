import { expect, test } from 'vitest';
import { MAX_COLLISIONS } from '../../contract/collisions.ts';
import type { Collision } from '../../contract/sessions.ts';
import type { Draft } from '../journal/journal.ts';
import { newSession, type Session } from '../sessions/session.ts';
import { CollisionWatch } from './collision-watch.ts';

function watchSessions() {
  const sessions = new Map<string, Session>();
  const recorded: { id: string; collisions: Collision[] }[] = [];
  const record = (draft: Draft): Promise<undefined> => {
    const { collisions } = draft.payload as { collisions: Collision[] };
    recorded.push({ id: draft.sessionId as string, collisions });
    return Promise.resolve(undefined);
  };
  const live = { get: (id: string) => sessions.get(id), sessions: () => sessions.values() };
  const watch = new CollisionWatch({
    live: live as never,
    record: record as never,
    onError: (error) => expect(error).toBe(0),
  });
  const put = (id: string, fields: Partial<Session>) => {
    const session = { ...(sessions.get(id) ?? newSession(id, 0)), ...fields };
    sessions.set(id, session);
    const event = { name: 'hook.received', agent: [{ type: 'tool.ended' }] };
    watch.observe(event as never, { session: { id } } as never);
  };
  const write = (id: string) =>
    put(id, { cwd: '/w/app', checkout: '/w/app', written: [{ path: `/w/app/${id}.ts`, at: 1000 }] });
  return { write, end: (id: string) => put(id, { endedAt: 2000 }), recorded };
}

test('a thousand sessions that write in one folder are told of a few others each', () => {
  const { write, recorded } = watchSessions();
  for (let n = 0; n < 1000; n++) write(`s${n}`);
  const last = new Map(recorded.map(({ id, collisions }) => [id, collisions]));
  expect(Math.max(...[...last.values()].map(({ length }) => length))).toBe(MAX_COLLISIONS);
  // those that came later are told of the others as soon as there is room
  expect(recorded.length).toBeLessThan(1000 * (MAX_COLLISIONS + 1));
});

test('room that an ended session leaves is filled at the next write', () => {
  const { write, end, recorded } = watchSessions();
  for (let n = 0; n < MAX_COLLISIONS + 5; n++) write(`s${n}`);
  const ofFirst = () => recorded.findLast(({ id }) => id === 's0')!.collisions.map(({ sessionId }) => sessionId);
  expect(ofFirst()).toHaveLength(MAX_COLLISIONS);
  end('s1');
  expect(ofFirst()).toHaveLength(MAX_COLLISIONS - 1);
  write('s0');
  expect(ofFirst()).toHaveLength(MAX_COLLISIONS);
  expect(ofFirst()).not.toContain('s1');
});
