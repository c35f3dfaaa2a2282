import type { CostCheck } from '../../contract/history.ts';
import type { ReaderContext } from './queries.ts';
import { COUNTED } from './usage-sums.ts';

/** Rounding, and the small requests that the client makes for itself and writes nowhere. */
const MARGIN_USD = 0.005;
const MARGIN_SHARE = 0.01;
const MAX_SHOWN = 50;

/**
 * Our costs beside the client's own, where it has written one at the end of a session. Left out: sessions with a model of
 * unknown price, and those that began as a copy of another, which the client charges with the other's cost too.
 */
export function checkCosts({ db }: ReaderContext, _: Record<string, never>): CostCheck {
  const rows = db
    .prepare(
      `SELECT f.session_id AS sessionId, MAX(json_extract(f.facts, '$.clientCostUsd')) AS clientUsd, u.oursUsd
       FROM files f JOIN (
         SELECT session_id, SUM(total_usd) AS oursUsd, SUM(messages) AS messages FROM usage WHERE ${COUNTED}
         GROUP BY session_id HAVING COUNT(*) = COUNT(total_usd)
       ) u ON u.session_id = f.session_id AND u.messages = (
         SELECT SUM(json_array_length(usage, '$.rows')) FROM files WHERE session_id = f.session_id
       )
       WHERE f.agent_id IS NULL AND json_extract(f.facts, '$.clientCostUsd') IS NOT NULL GROUP BY f.session_id`,
    )
    .all() as { sessionId: string; clientUsd: number; oursUsd: number }[];
  const differing = rows
    .filter(({ clientUsd, oursUsd }) => {
      return Math.abs(oursUsd - clientUsd) > Math.max(MARGIN_USD, clientUsd * MARGIN_SHARE);
    })
    .sort((a, b) => Math.abs(b.oursUsd - b.clientUsd) - Math.abs(a.oursUsd - a.clientUsd));
  return { checked: rows.length, differing: differing.length, largest: differing.slice(0, MAX_SHOWN) };
}
