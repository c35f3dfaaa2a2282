import { Board } from '../board/board.ts';
import { Core } from '../core.ts';
import { auditRoutes } from '../http/audit.ts';
import { markJournal, requireJournal, setJournalAside } from '../journal/journal-file.ts';
import { repeatWhileDue } from '../journal/repeat-while-due.ts';
import { Retention } from '../journal/retention.ts';
import type { Base } from './base.ts';

const RETENTION_REST_MS = 60_000;
const SAVE_LEFT_MS = 10_000;
/** After whatever waits for the start. */
const RESERVE_MS = 2_000;

interface CoreOptions {
  /** Move a broken journal aside and start an empty one. */
  newJournal: boolean;
  checksEvents: boolean;
}

export type CorePart = ReturnType<typeof corePart>;

/** The journal, the live model and the stream. */
export function corePart({ dataDir, now, log, onError }: Base, { newJournal, checksEvents }: CoreOptions) {
  const setAside = newJournal ? setJournalAside(dataDir, now()) : undefined;
  if (!newJournal) requireJournal(dataDir);
  const machine = dataDir.machine();
  const core = new Core({ path: dataDir.file('journal.db'), now, log, machine: machine.name, checksEvents });
  markJournal(dataDir);
  const { journal, live, hub } = core;
  const board = new Board({ machine, live, hub });
  const retention = new Retention({
    journal,
    policy: () => {
      const { journalDays, journalMegabytes } = dataDir.preferences();
      return { days: journalDays, bytes: journalMegabytes * 2 ** 20 };
    },
    isLive: (id) => live.get(id) !== undefined,
    neededFrom: () => core.snapshotSeq,
    now,
  });
  const reserve = () => {
    try {
      journal.reserve();
    } catch (error) {
      onError(error);
    }
  };
  let saving: NodeJS.Timeout | undefined;
  let reserving: NodeJS.Timeout | undefined;
  let tidying: { stop(): void } | undefined;
  return {
    core,
    board,
    /** Where the broken journal went. */
    setAside,
    routes: [auditRoutes(core)],
    start() {
      saving = setInterval(() => core.saveLeft(), SAVE_LEFT_MS);
      reserving = setTimeout(reserve, RESERVE_MS);
      tidying = repeatWhileDue(() => retention.step(), { restMs: RETENTION_REST_MS, onError });
    },
    stop() {
      clearInterval(saving);
      clearTimeout(reserving);
      tidying?.stop();
    },
    close: () => core.close(),
  };
}
