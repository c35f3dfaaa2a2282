import type { PresenceLevel, PresenceReport } from '../../contract/presence.ts';

/** How long one key press or pointer move counts as somebody being there. */
export const ACTIVE_MS = 60_000;
/** A tab whose stream broke may be reconnecting; one that does not come back within this was closed or killed. */
export const STREAM_GONE_MS = 2000;
/** Whoever reports under ever new names must not make us grow. */
const MAX_TABS = 1000;

interface Tab {
  visible: boolean;
  lastInputAt: number;
  reportedAt: number;
  streams: number;
  /** When its last stream ended. */
  streamEndedAt: number | null;
}

/** Who really looks: an open tab alone proves nothing. Each tab reports for itself, and expires by itself when it dies. */
export class Presence {
  readonly #now: () => number;
  readonly #tabs = new Map<string, Tab>();

  constructor({ now }: { now: () => number }) {
    this.#now = now;
  }

  report({ tab: id, visible, inputAgoMs }: PresenceReport): PresenceLevel {
    const now = this.#now();
    const tab = this.#open(id);
    tab.visible = visible;
    tab.reportedAt = now;
    if (inputAgoMs !== null) tab.lastInputAt = Math.max(tab.lastInputAt, now - inputAgoMs);
    return this.level();
  }

  /** A tab without a stream sees nothing. Returns what to call when the stream ends. */
  watch(id: string): () => void {
    const tab = this.#open(id);
    tab.streams++;
    tab.streamEndedAt = null;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      tab.streams--;
      if (tab.streams === 0) tab.streamEndedAt = this.#now();
    };
  }

  level(): PresenceLevel {
    const now = this.#now();
    let level: PresenceLevel = 'none';
    for (const [id, tab] of this.#tabs) {
      if (this.#isGone(tab, now)) this.#tabs.delete(id);
      else if (!tab.visible) continue;
      else if (now - tab.lastInputAt <= ACTIVE_MS) return 'active';
      else level = 'idle';
    }
    return level;
  }

  #isGone({ streams, streamEndedAt, reportedAt }: Tab, now: number): boolean {
    if (streams > 0) return false;
    return now - Math.max(streamEndedAt ?? 0, reportedAt) > STREAM_GONE_MS;
  }

  #open(id: string): Tab {
    const known = this.#tabs.get(id);
    if (known) return known;
    if (this.#tabs.size >= MAX_TABS) this.#tabs.delete(this.#tabs.keys().next().value!);
    const tab = { visible: false, lastInputAt: 0, reportedAt: 0, streams: 0, streamEndedAt: null };
    this.#tabs.set(id, tab);
    return tab;
  }
}
