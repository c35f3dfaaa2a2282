import type { BilledUsage } from '../prices/prices.ts';
import type { Entry, FoundPart, FoundResult } from './entry.ts';

/** A message in the transcript, assembled from its lines. */
export interface Draft {
  /** Where its first line starts. */
  head: number;
  id: string;
  role: Entry['role'];
  at: number | null;
  isMeta: boolean;
  group: string | null;
  model: string | null;
  usage: BilledUsage | null;
  parts: FoundPart[];
  /** By tool call. */
  results: Map<string, FoundResult>;
}

/** Joins the lines of one API message, and results with their calls. In conversation order. */
export function foldMessages(entries: Entry[]): Draft[] {
  const drafts: Draft[] = [];
  const holders = new Map<string, Draft>();
  const seen = new Set<string>();
  let open: Draft | undefined;
  for (const entry of entries) {
    // a resumed session may contain the same line twice
    if (entry.uuid !== null && seen.has(entry.uuid)) continue;
    if (entry.uuid !== null) seen.add(entry.uuid);
    if (entry.isTurn && entry.group !== open?.group) open = undefined;
    if (entry.group !== null && open?.group === entry.group) addLine(open, entry);
    else if (entry.parts.length > 0 || entry.group !== null) {
      const draft = begin(entry);
      drafts.push(draft);
      if (entry.group !== null) open = draft;
    }
    for (const id of callIds(entry)) if (open) holders.set(id, open);
    for (const result of entry.results) holders.get(result.toolUseId)?.results.set(result.toolUseId, result);
  }
  return drafts.filter(({ parts }) => parts.length > 0);
}

export function callIds({ parts }: { parts: FoundPart[] }): string[] {
  return parts.flatMap((part) => (part.kind === 'tool' ? [part.toolUseId] : []));
}

function begin(entry: Entry): Draft {
  const { start, uuid, role, at, isMeta, group, model, usage, parts } = entry;
  return {
    head: start,
    id: uuid ?? `@${start}`,
    role,
    at,
    isMeta,
    group,
    model,
    usage,
    parts: [...parts],
    results: new Map(),
  };
}

function addLine(draft: Draft, { model, usage, parts }: Entry): void {
  draft.model = model ?? draft.model;
  draft.usage = usage ?? draft.usage;
  const known = new Set(callIds(draft));
  draft.parts.push(...parts.filter((part) => part.kind !== 'tool' || !known.has(part.toolUseId)));
}
