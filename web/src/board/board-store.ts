import { columnOf, GROUPS, type Group, urgencyOf } from '../../../src/contract/groups.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import type { LiveStore } from '../live/store.ts';
import { clipLine } from '../ui/format.ts';
import { matchesFilter, parseFilter, type Term } from './filter.ts';
import { freezingOrder } from './freeze-order.ts';
import { createRunningOrder } from './running-order.ts';

export interface Column {
  /** The ids that pass the filter, in display order. */
  ids: readonly string[];
  /** Ignoring the filter. */
  total: number;
  /** The ids by group, in order. Absent: not grouped. */
  sections: readonly Section[];
}

export interface Section {
  name: string;
  count: number;
}

export type Grouping = 'project' | 'branch';

export interface BoardSnapshot {
  columns: Record<Group, Column>;
  filter: string;
  ready: boolean;
  /** The board shows sessions from more than one machine. */
  manyMachines: boolean;
}

export interface BoardStore {
  snapshot(): BoardSnapshot;
  subscribe(listener: () => void): () => void;
  setFilter(filter: string): void;
  setGrouping(by: Grouping | null): void;
  /** Time has passed, so a running session may have gone quiet. */
  refresh(): void;
}

interface Options {
  store: Pick<LiveStore, 'all' | 'isReady' | 'subscribe'>;
  /** Sessions the operator just hid and can still bring back. */
  hiding?: { ids: () => ReadonlySet<string>; subscribe: (listener: () => void) => () => void };
  now?: () => number;
}

/** Which session is where. A column object stays the same until a card in it is added, removed or moved. */
export function createBoardStore({ store, hiding, now = Date.now }: Options): BoardStore {
  const listeners = new Set<() => void>();
  const orderRunning = freezingOrder(createRunningOrder());
  const orderDone = freezingOrder((sessions) => sessions.sort(byCompletion));
  let snapshot: BoardSnapshot = {
    columns: { needs_you: EMPTY, autonomous: EMPTY, delivered: EMPTY },
    filter: '',
    ready: false,
    manyMachines: false,
  };

  let grouping: Grouping | null = null;

  function arrange(filter: string) {
    const sessions: Record<Group, LiveSession[]> = { needs_you: [], autonomous: [], delivered: [] };
    let machine: string | undefined;
    let manyMachines = false;
    const hidden = hiding?.ids();
    for (const session of store.all().values()) {
      if (hidden?.has(session.id)) continue;
      sessions[columnOf(session)].push(session);
      if (machine !== undefined && session.machine !== machine) manyMachines = true;
      machine = session.machine;
    }
    sessions.needs_you.sort(byUrgency);
    sessions.autonomous = orderRunning(sessions.autonomous, now());
    sessions.delivered = orderDone(sessions.delivered, now());

    const terms = parseFilter(filter);
    const columns = { ...snapshot.columns };
    for (const group of GROUPS)
      columns[group] = toColumn(sessions[group], { terms, grouping }, snapshot.columns[group]);
    const ready = store.isReady();
    const same = GROUPS.every((group) => columns[group] === snapshot.columns[group]);
    const kept = filter === snapshot.filter && ready === snapshot.ready && manyMachines === snapshot.manyMachines;
    if (same && kept) return;
    snapshot = { columns, filter, ready, manyMachines };
    for (const listener of listeners) listener();
  }

  const refresh = () => arrange(snapshot.filter);
  store.subscribe(refresh);
  hiding?.subscribe(refresh);
  return {
    snapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setFilter: arrange,
    setGrouping(by) {
      grouping = by;
      refresh();
    },
    refresh,
  };
}

const EMPTY: Column = { ids: [], total: 0, sections: [] };

interface Arrangement {
  terms: readonly Term[];
  grouping: Grouping | null;
}

function toColumn(sessions: LiveSession[], { terms, grouping }: Arrangement, previous: Column): Column {
  const shown = terms.length > 0 ? sessions.filter((session) => matchesFilter(session, terms)) : sessions;
  const groups = grouping ? groupSessions(shown, grouping) : null;
  const ids = groups ? [...groups.values()].flat() : shown.map((session) => session.id);
  const sections = groups ? [...groups].map(([name, members]) => ({ name, count: members.length })) : EMPTY.sections;
  const same =
    sessions.length === previous.total &&
    ids.length === previous.ids.length &&
    ids.every((id, index) => id === previous.ids[index]) &&
    sections.length === previous.sections.length &&
    sections.every(({ name, count }, index) => {
      const before = previous.sections[index];
      return before?.name === name && before.count === count;
    });
  return same ? previous : { ids, total: sessions.length, sections };
}

/** Ordered by their first session, so the most urgent group comes first. */
function groupSessions(sessions: LiveSession[], by: Grouping): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const session of sessions) {
    const name = groupName(session, by);
    const members = groups.get(name);
    if (members) members.push(session.id);
    else groups.set(name, [session.id]);
  }
  return groups;
}

function groupName({ projectDisplayName, gitBranch }: LiveSession, by: Grouping): string {
  const project = clipLine(projectDisplayName, 80) || 'No project';
  if (by === 'project') return project;
  return gitBranch ? `${project} / ${clipLine(gitBranch, 80)}` : `${project}, no branch`;
}

/** Most urgent first, then longest waiting. */
function byUrgency(a: LiveSession, b: LiveSession): number {
  return urgencyOf(a.agentState) - urgencyOf(b.agentState) || a.stateSince - b.stateSince || (a.id < b.id ? -1 : 1);
}

function byCompletion(a: LiveSession, b: LiveSession): number {
  return (b.endedAt ?? b.stateSince) - (a.endedAt ?? a.stateSince) || (a.id < b.id ? -1 : 1);
}
