import { setImmediate } from 'node:timers/promises';
import type { FindQuery, FindResult } from '../../../contract/messages.ts';
import type { ReaderContext } from '../threads/queries.ts';
import { openFile } from './byte-source.ts';
import { locate, type Wanted } from './conversation.ts';
import { findMessage } from './find-message.ts';
import { type Match, matcherFor, pickMatch } from './match-message.ts';
import { walkDrafts } from './walk-drafts.ts';

/** Pressing "next" repeats the same query. */
const MAX_KEPT = 8;
const kept = new WeakMap<ReaderContext, Map<string, readonly Match[]>>();

type Args = Wanted & { query: Omit<FindQuery, 'agentId'> };

/** Finds something in a conversation of any length. Reads all of it, and yields to other queries meanwhile. */
export async function findInConversation(context: ReaderContext, args: Args): Promise<FindResult> {
  const { query } = args;
  const { path, options } = locate(context, args);
  const source = openFile(path);
  try {
    const key = JSON.stringify([path, source.size, query.what, query.q]);
    const matches = recall(context, key) ?? remember(context, key, await findAll());
    const from = query.from === undefined ? undefined : findMessage(source, query.from, options)?.head;
    const at = pickMatch(matches, { direction: query.direction, from: from ?? source.size });
    const match = at === undefined ? undefined : matches[at];
    if (!match || at === undefined) return { messageId: null, parts: [], index: 0, total: 0 };
    return { messageId: match.id, parts: match.parts, index: at + 1, total: matches.length };
  } finally {
    source.close();
  }

  async function findAll(): Promise<Match[]> {
    const matching = matcherFor(query);
    const found: Match[] = [];
    for (const drafts of walkDrafts(source, options)) {
      for (const draft of drafts) {
        const parts = matching(draft);
        if (parts.length > 0) found.push({ head: draft.head, id: draft.id, parts });
      }
      await setImmediate();
    }
    return found;
  }
}

function recall(context: ReaderContext, key: string): readonly Match[] | undefined {
  return kept.get(context)?.get(key);
}

function remember(context: ReaderContext, key: string, matches: readonly Match[]): readonly Match[] {
  const mine = kept.get(context) ?? new Map<string, readonly Match[]>();
  kept.set(context, mine);
  mine.set(key, matches);
  const [oldest] = mine.keys();
  if (mine.size > MAX_KEPT && oldest !== undefined) mine.delete(oldest);
  return matches;
}
