import { expect, it } from 'vitest';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { aSession } from '../live/session-for-test.ts';
import { createFamilyStore } from './family-store.ts';

const session = (id: string, parentId: string | null, createdAt = 0): LiveSession => ({
  ...aSession(id),
  orchestration: { parentId, createdAt } as LiveSession['orchestration'],
});

it('lists children by age and keeps the array until the family changes', () => {
  const sessions = new Map(
    [session('root', null), session('b', 'root', 2), session('a', 'root', 1)].map((s) => [s.id, s]),
  );
  let changed: () => void = () => undefined;
  const family = createFamilyStore({
    store: {
      all: () => sessions,
      subscribe: (listener) => {
        changed = listener;
        return () => undefined;
      },
    },
  });
  const before = family.childrenOf('root');
  expect(before).toEqual(['a', 'b']);
  expect(family.childrenOf('a')).toEqual([]);
  sessions.set('b', session('b', 'root', 2));
  changed();
  expect(family.childrenOf('root')).toBe(before);
  sessions.set('c', session('c', 'root', 3));
  changed();
  expect(family.childrenOf('root')).toEqual(['a', 'b', 'c']);
});
