import type { PresenceLevel, PresenceReport } from '../../contract/presence.ts';

/** How long one key press or pointer move counts as presence. */
export const ACTIVE_MS = 60_000;
/** A tab whose stream broke may be reconnecting. One that doesn't return within this time was closed or killed. */
export const STREAM_GONE_MS = 2000;
/** Tabs of one browser share a stream. A tab without its own reports every 10 s that it is still there. */
export const SILENT_MS = 15_000;
/** A client that keeps reporting under new names must not exhaust our memory. */
const MAX_TABS = 1000;

interface Tab {
  device: string;
  visible: boolean;
  lastInputAt: number;
  reportedAt: number;
  streams: number;
  /** When its last stream ended. */
  streamEndedAt: number | null;
}

/** Who is really watching: an open tab alone proves nothing. Each tab reports for itself and expires when it dies. */
export class Presence {
  readonly #now: () => number;
  readonly #tabs = new Map<string, Tab>();

  constructor({ now }: { now: () => number }) {
    this.#now = now;
  }

  report({ tab: id, visible, inputAgoMs }: PresenceReport, device: string): PresenceLevel {
    const now = this.#now();
    const tab = this.#open(id, device);
    tab.visible = visible;
    tab.reportedAt = now;
    if (inputAgoMs !== null) tab.lastInputAt = Math.max(tab.lastInputAt, now - inputAgoMs);
    return this.level();
  }

  /** A tab without a stream sees nothing. Returns a function to call when the stream ends. */
  watch(id: string, device: string): () => void {
    const tab = this.#open(id, device);
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
    const watching = new Set([...this.#tabs.values()].filter(({ streams }) => streams > 0).map(({ device }) => device));
    for (const [id, tab] of this.#tabs) {
      if (isGone(tab, { now, isShared: watching.has(tab.device) })) this.#tabs.delete(id);
      else if (!tab.visible) continue;
      else if (now - tab.lastInputAt <= ACTIVE_MS) return 'active';
      else level = 'idle';
    }
    return level;
  }

  #open(id: string, device: string): Tab {
    const known = this.#tabs.get(id);
    if (known) return known;
    if (this.#tabs.size >= MAX_TABS) this.#tabs.delete(this.#tabs.keys().next().value!);
    const tab = { device, visible: false, lastInputAt: 0, reportedAt: 0, streams: 0, streamEndedAt: null };
    this.#tabs.set(id, tab);
    return tab;
  }
}

function isGone(
  { streams, streamEndedAt, reportedAt }: Tab,
  { now, isShared }: { now: number; isShared: boolean },
): boolean {
  if (streams > 0) return false;
  if (isShared && now - reportedAt <= SILENT_MS) return false;
  return now - Math.max(streamEndedAt ?? 0, reportedAt) > STREAM_GONE_MS;
}
