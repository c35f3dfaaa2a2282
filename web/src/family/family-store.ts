import type { LiveStore } from '../live/store.ts';

export interface FamilyStore {
  /** Sessions on the board that this one started, oldest first. The same array until one is added or removed. */
  childrenOf(sessionId: string): readonly string[];
  subscribe(listener: () => void): () => void;
}

const NONE: readonly string[] = [];

/** Which sessions on the board were started by which. */
export function createFamilyStore({ store }: { store: Pick<LiveStore, 'all' | 'subscribe'> }): FamilyStore {
  let children: ReadonlyMap<string, readonly string[]> = new Map();
  let isStale = true;
  store.subscribe(() => {
    isStale = true;
  });

  function collect() {
    isStale = false;
    const found = new Map<string, { id: string; at: number }[]>();
    for (const { id, orchestration } of store.all().values()) {
      if (!orchestration?.parentId) continue;
      const siblings = found.get(orchestration.parentId) ?? [];
      found.set(orchestration.parentId, [...siblings, { id, at: orchestration.createdAt }]);
    }
    const before = children;
    children = new Map(
      [...found].map(([parentId, siblings]) => {
        const ids = siblings.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
        const known = before.get(parentId);
        const isSame = known?.length === ids.length && known.every((id, index) => id === ids[index]);
        return [parentId, isSame ? known : ids];
      }),
    );
  }

  return {
    childrenOf(sessionId) {
      if (isStale) collect();
      return children.get(sessionId) ?? NONE;
    },
    subscribe: store.subscribe,
  };
}
