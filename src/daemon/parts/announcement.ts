import { type Base, urlOf } from './base.ts';

/** Tells other programs of this machine where the daemon is. Withdrawn when everything else is closed: who waits for that may start the next one. */
export function announcementPart(base: Base, { version }: { version: string }) {
  const { dataDir, startedAt, port } = base;
  let isAnnounced = false;
  return {
    start() {
      isAnnounced = true;
      dataDir.announce({ pid: process.pid, port: port(), url: urlOf(base), version, startedAt });
    },
    close() {
      if (isAnnounced) dataDir.withdraw();
    },
  };
}
