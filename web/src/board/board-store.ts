import { columnOf, GROUPS, type Group, urgencyOf } from '../../../src/contract/groups.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import type { LiveStore } from '../live/store.ts';
import { filterWords, matchesFilter } from './filter.ts';
import { createRunningOrder } from './running-order.ts';

export interface Column {
  /** In the order to show, those that the filter lets through. */
  ids: readonly string[];
  /** Without the filter. */
  total: number;
}

export interface BoardSnapshot {
  columns: Record<Group, Column>;
  filter: string;
  ready: boolean;
  /** Sessions of more than one machine are in view. */
  manyMachines: boolean;
}

export interface BoardStore {
  snapshot(): BoardSnapshot;
  subscribe(listener: () => void): () => void;
  setFilter(filter: string): void;
  /** Time has passed: a running session may have fallen quiet. */
  refresh(): void;
}

interface Options {
  store: Pick<LiveStore, 'all' | 'isReady' | 'subscribe'>;
  now?: () => number;
}

/** Which session stands where. A column object stays the same until a card in it comes, goes or moves. */
export function createBoardStore({ store, now = Date.now }: Options): BoardStore {
  const listeners = new Set<() => void>();
  const orderRunning = createRunningOrder();
  let snapshot: BoardSnapshot = {
    columns: { needs_you: EMPTY, autonomous: EMPTY, delivered: EMPTY },
    filter: '',
    ready: false,
    manyMachines: false,
  };

  function arrange(filter: string) {
    const sessions: Record<Group, LiveSession[]> = { needs_you: [], autonomous: [], delivered: [] };
    let machine: string | undefined;
    let manyMachines = false;
    for (const session of store.all().values()) {
      sessions[columnOf(session)].push(session);
      if (machine !== undefined && session.machine !== machine) manyMachines = true;
      machine = session.machine;
    }
    sessions.needs_you.sort(byUrgency);
    sessions.autonomous = orderRunning(sessions.autonomous, now());
    sessions.delivered.sort(byCompletion);

    const words = filterWords(filter);
    const columns = { ...snapshot.columns };
    for (const group of GROUPS) columns[group] = toColumn(sessions[group], words, snapshot.columns[group]);
    const ready = store.isReady();
    const same = GROUPS.every((group) => columns[group] === snapshot.columns[group]);
    const kept = filter === snapshot.filter && ready === snapshot.ready && manyMachines === snapshot.manyMachines;
    if (same && kept) return;
    snapshot = { columns, filter, ready, manyMachines };
    for (const listener of listeners) listener();
  }

  const refresh = () => arrange(snapshot.filter);
  store.subscribe(refresh);
  return {
    snapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setFilter: arrange,
    refresh,
  };
}

const EMPTY: Column = { ids: [], total: 0 };

function toColumn(sessions: LiveSession[], words: string[], previous: Column): Column {
  const ids = sessions.filter((session) => matchesFilter(session, words)).map((session) => session.id);
  const same =
    sessions.length === previous.total &&
    ids.length === previous.ids.length &&
    ids.every((id, index) => id === previous.ids[index]);
  return same ? previous : { ids, total: sessions.length };
}

/** The most urgent first; among equals, who has waited longest. */
function byUrgency(a: LiveSession, b: LiveSession): number {
  return urgencyOf(a.agentState) - urgencyOf(b.agentState) || a.stateSince - b.stateSince || (a.id < b.id ? -1 : 1);
}

function byCompletion(a: LiveSession, b: LiveSession): number {
  return (b.endedAt ?? b.stateSince) - (a.endedAt ?? a.stateSince) || (a.id < b.id ? -1 : 1);
}
