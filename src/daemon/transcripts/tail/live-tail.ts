import type { ReadingUpdate, SubagentReading } from '../../sessions/transcript-reading.ts';
import type { Lineage } from '../index/lineage.ts';
import { withoutCopies } from '../index/without-copies.ts';
import { cacheWarmUntil, type Facts, titleOf } from '../lines/facts.ts';
import { parseTranscriptPath } from '../lines/parse-transcript-path.ts';
import type { Prices } from '../prices/prices.ts';
import { totalUsage } from '../usage/session-usage.ts';
import { FileTail } from './file-tail.ts';
import { LiveSpending } from './live-spending.ts';

/** Minimum time between a session's readings. */
const PAUSE_MS = 200;
/** Polling fallback for missed change events. */
const POLL_MS = 2_000;
const MAX_SUBAGENTS = 200;
/** More calls than this don't run at once. */
const MAX_RESULTS = 64;
/** How often to ask the index again what a forked session has from its parent, whose transcript may be deleted. */
const LINEAGE_MS = 30_000;

export interface LiveTailOptions {
  prices: Prices;
  send: (sessionId: string, reading: ReadingUpdate) => void;
  /** The outcomes of these calls are in the transcript, whether or not a hook reported them. */
  sendResults: (sessionId: string, callIds: string[]) => void;
  /** The answer arrives through `setLineage`. */
  askLineage: (sessionId: string, readTo: Record<string, number>) => void;
  onError: (error: unknown) => void;
}

interface Followed {
  files: Map<string, FileTail>;
  spending: LiveSpending;
  /** Calls whose outcomes were read but not reported yet. */
  results: string[];
  /** The lineage was requested but not answered yet. */
  isAsking: boolean;
  /** Long files being read. */
  unread: Set<string>;
  sentAt: number;
  timer: NodeJS.Timeout | undefined;
}

/** Reads the transcripts of the sessions on the board as they grow. */
export class LiveTail {
  readonly #options: LiveTailOptions;
  readonly #paths = new Map<string, Map<string, string | null>>();
  readonly #followed = new Map<string, Followed>();
  #prices: Prices;
  #checking: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;

  constructor(options: LiveTailOptions) {
    this.#options = options;
    this.#prices = options.prices;
  }

  start(): void {
    this.#checking = setInterval(() => {
      for (const id of this.#followed.keys()) this.check(id);
    }, POLL_MS);
    this.#asking = setInterval(() => {
      for (const [id, session] of this.#followed) if (session.spending.hasRelatives) this.#askLineage(id, session);
    }, LINEAGE_MS);
  }

  stop(): void {
    clearInterval(this.#checking);
    clearInterval(this.#asking);
    for (const id of this.#followed.keys()) this.unfollow(id);
  }

  follow(sessionId: string): void {
    if (this.#followed.has(sessionId)) return;
    this.#followed.set(sessionId, {
      files: new Map(),
      spending: new LiveSpending(),
      results: [],
      isAsking: false,
      unread: new Set(),
      sentAt: Number.NEGATIVE_INFINITY,
      timer: undefined,
    });
    this.check(sessionId);
  }

  unfollow(sessionId: string): void {
    clearTimeout(this.#followed.get(sessionId)?.timer);
    this.#followed.delete(sessionId);
  }

  /** A file is new or changed. */
  onChange(path: string): void {
    const owner = parseTranscriptPath(path);
    if (!owner) return;
    const paths = this.#paths.get(owner.sessionId) ?? new Map<string, string | null>();
    this.#paths.set(owner.sessionId, paths.set(path, owner.agentId));
    const session = this.#followed.get(owner.sessionId);
    if (session) this.#read(owner.sessionId, session, path, owner.agentId);
  }

  onGone(path: string): void {
    const owner = parseTranscriptPath(path);
    if (!owner) return;
    this.#paths.get(owner.sessionId)?.delete(path);
    const session = this.#followed.get(owner.sessionId);
    if (session?.files.has(path)) this.#changed(owner.sessionId, session);
  }

  knows(sessionId: string): boolean {
    return this.#paths.has(sessionId);
  }

  check(sessionId: string): void {
    const session = this.#followed.get(sessionId);
    const paths = this.#paths.get(sessionId);
    if (session && paths) for (const [path, agentId] of paths) this.#read(sessionId, session, path, agentId);
  }

  setPrices(prices: Prices): void {
    this.#prices = prices;
    for (const [id, session] of this.#followed) if (session.files.size > 0) this.#changed(id, session);
  }

  setLineage(sessionId: string, lineage: Lineage): void {
    const session = this.#followed.get(sessionId);
    if (!session) return;
    session.isAsking = false;
    session.spending.setLineage(lineage);
    this.#changed(sessionId, session);
  }

  #askLineage(sessionId: string, session: Followed): void {
    if (session.isAsking) return;
    session.isAsking = true;
    this.#options.askLineage(
      sessionId,
      Object.fromEntries(Array.from(session.files, ([path, { position }]) => [path, position])),
    );
  }

  #read(sessionId: string, session: Followed, path: string, agentId: string | null): void {
    if (this.#followed.get(sessionId) !== session || session.unread.has(path)) return;
    try {
      const { hasChanged, isMore } = this.#tailOf(session, path, agentId).read();
      if (isMore) this.#readOn(sessionId, session, path, agentId);
      else if (hasChanged) this.#changed(sessionId, session);
      if (!isMore) this.#tellResults(sessionId, session);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #tellResults(sessionId: string, session: Followed): void {
    if (session.results.length === 0) return;
    this.#options.sendResults(sessionId, session.results.slice(-MAX_RESULTS));
    session.results = [];
  }

  #readOn(sessionId: string, session: Followed, path: string, agentId: string | null): void {
    session.unread.add(path);
    setImmediate(() => {
      session.unread.delete(path);
      this.#read(sessionId, session, path, agentId);
    });
  }

  #tailOf(session: Followed, path: string, agentId: string | null): FileTail {
    const { files, spending } = session;
    const known = files.get(path);
    if (known) return known;
    const tail: FileTail = new FileTail({
      path,
      agentId,
      onUsage: (records) => spending.add(records, { path, agentId, bornMs: tail.bornMs }),
      onCostState: (state) => spending.addState(state, path),
      onResults: (ids) => {
        session.results = [...session.results, ...ids].slice(-MAX_RESULTS);
      },
      onReset: () => spending.drop(path),
    });
    files.set(path, tail);
    return tail;
  }

  #changed(sessionId: string, session: Followed): void {
    // a long file is shown once it is read, so its numbers don't count up visibly
    if (session.timer || session.unread.size > 0) return;
    const wait = session.sentAt + PAUSE_MS - performance.now();
    if (wait <= 0) this.#send(sessionId, session);
    else {
      session.timer = setTimeout(() => {
        session.timer = undefined;
        this.#send(sessionId, session);
      }, wait);
    }
  }

  #send(sessionId: string, session: Followed): void {
    session.sentAt = performance.now();
    if (session.spending.needsLineage) this.#askLineage(sessionId, session);
    const there = this.#paths.get(sessionId) ?? new Map();
    this.#options.send(
      sessionId,
      readingOf(sessionId, session, this.#prices, (path) => there.has(path)),
    );
  }
}

function readingOf(
  sessionId: string,
  { files, spending }: Followed,
  prices: Prices,
  isThere: (path: string) => boolean,
): ReadingUpdate {
  const facts = factsOf(files, isThere);
  const own = facts.filter(({ agentId }) => agentId === null).sort((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0))[0];
  const agents = spending.byAgent(prices);
  const sum = (count: (one: Facts) => number) => facts.reduce((total, one) => total + count(one), 0);
  return {
    givenTitle: own?.titles.custom ?? null,
    title: own ? titleOf(own) : null,
    firstPrompt: own?.firstPrompt ?? null,
    lastPrompt: own?.lastPrompt ?? null,
    lastMessage: own?.lastText ?? null,
    branch: own?.branch ?? null,
    model: own?.model ?? null,
    permissionMode: own?.permissionMode ?? null,
    ...spending.tell(sessionId, { facts, prices }),
    contextWindowTokens: own?.contextTokens ?? null,
    contextWindowLimit: own ? limitOf(own, prices) : null,
    cacheWarmUntil: own ? cacheWarmUntil(own) : null,
    turnStartedAt: own?.turnStartedAt ?? null,
    linesAdded: sum(({ linesAdded }) => linesAdded),
    linesRemoved: sum(({ linesRemoved }) => linesRemoved),
    toolCounts: addCounts(facts),
    progress: own?.items ?? [],
    subagents: Object.fromEntries(
      facts
        .filter(({ agentId }) => agentId !== null)
        .sort((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0))
        .slice(0, MAX_SUBAGENTS)
        .map((one) => [one.agentId, subagentOf(one, totalUsage(agents.get(one.agentId) ?? []))]),
    ),
  };
}

/** What was moved is reported from its new place, what is in two folders once; what is only gone stays as it was. */
function factsOf(files: Map<string, FileTail>, isThere: (path: string) => boolean): Facts[] {
  const all = Array.from(files, ([path, { facts }]) => ({ agentId: facts.agentId, facts, isThere: isThere(path) }));
  const present = all.filter((one) => one.isThere);
  const agents = new Set(present.map(({ agentId }) => agentId));
  const last = new Map(all.map((one) => [one.agentId, one]));
  const gone = [...last.values()].filter(({ agentId }) => !agents.has(agentId));
  return [...withoutCopies(present), ...gone].map(({ facts }) => facts);
}

function subagentOf(
  { model, toolCounts, lastText }: Facts,
  spent: Pick<SubagentReading, 'tokens' | 'cost'>,
): SubagentReading {
  return {
    model,
    lastMessage: lastText ?? null,
    ...spent,
    toolCalls: Object.values(toolCounts).reduce((total, count) => total + count, 0),
  };
}

function limitOf({ requestedModel, model, contextTokens }: Facts, prices: Prices): number | null {
  const options = { usedTokens: contextTokens ?? 0 };
  const byRequest = requestedModel === null ? null : prices.contextLimitOf(requestedModel, options);
  return byRequest ?? (model === null ? null : prices.contextLimitOf(model, options));
}

function addCounts(facts: Facts[]): Record<string, number> {
  // not in an object: a tool may have the name of an Object property
  const sum = new Map<string, number>();
  for (const { toolCounts } of facts)
    for (const [tool, count] of Object.entries(toolCounts)) sum.set(tool, (sum.get(tool) ?? 0) + count);
  return Object.fromEntries(sum);
}
