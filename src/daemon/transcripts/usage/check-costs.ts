import type { CostCheck } from '../../../contract/history.ts';
import { costStates, forkBaseOf } from '../index/cost-states.ts';
import { inheritedUsage } from '../index/inherited-usage.ts';
import type { ReaderContext } from '../threads/queries.ts';
import type { CostState } from './cost-state.ts';
import { COUNTED } from './usage-sums.ts';

/** Rounding, and a price that changed during a session. */
const MARGIN_USD = 0.005;
const MARGIN_SHARE = 0.01;
const MAX_SHOWN = 50;
/** The newest ones, since other queries wait meanwhile. */
const MAX_COMPARED = 1000;

/**
 * Our costs next to the client's own, where it wrote one at the end of a session. Left out: sessions with an unpriced model, those that
 * continued since, and those in which a client was killed, whose next sum starts at zero.
 */
export function checkCosts({ db, prices }: ReaderContext, _: Record<string, never>): CostCheck {
  const sessions = db
    .prepare(
      `SELECT session_id AS id, SUM(total_usd) AS oursUsd, MIN(first_at) AS firstAt, MAX(last_at) AS lastAt FROM (
         SELECT u.session_id, SUM(u.total_usd) AS total_usd, COUNT(*) = COUNT(u.total_usd) AS is_priced,
           f.first_at AS first_at, f.last_at AS last_at
         FROM usage u JOIN files f ON f.id = u.file_id
         WHERE ${COUNTED} AND u.session_id IN (SELECT session_id FROM cost_states) GROUP BY u.file_id
       ) GROUP BY session_id HAVING MIN(is_priced) = 1 ORDER BY lastAt DESC LIMIT ${MAX_COMPARED}`,
    )
    .all() as { id: string; oursUsd: number; firstAt: number | null; lastAt: number | null }[];
  const compared = sessions.flatMap(({ id, oursUsd, firstAt, lastAt }) => {
    const states = costStates(db, id);
    const [first] = states;
    const last = states.at(-1);
    if (!first || !last || (firstAt ?? first.startTime) < first.startTime) return [];
    const isWhole = last.startTime === first.startTime && (lastAt ?? 0) <= (last.at ?? 0);
    if (!isWhole) return [];
    const from = inheritedUsage(db, prices, [id]).get(id)?.from ?? null;
    const base = forkBaseOf(db, { first, bornMs: first.bornMs, parentId: from });
    return [{ sessionId: id, oursUsd, clientUsd: usdOf(last) - (base ? usdOf(base) : 0) }];
  });
  const differing = compared
    .filter(({ clientUsd, oursUsd }) => {
      return Math.abs(oursUsd - clientUsd) > Math.max(MARGIN_USD, clientUsd * MARGIN_SHARE);
    })
    .sort((a, b) => Math.abs(b.oursUsd - b.clientUsd) - Math.abs(a.oursUsd - a.clientUsd));
  return { checked: compared.length, differing: differing.length, largest: differing.slice(0, MAX_SHOWN) };
}

function usdOf({ models }: CostState): number {
  return Object.values(models).reduce((sum, { usd }) => sum + usd, 0);
}
