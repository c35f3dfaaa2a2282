import type { Review } from '../../../contract/reviews.ts';
import { PENDING_REVIEW } from '../../drivers/terminal/intake/posted-event.ts';
import { iso } from './iso.ts';

/** A call to review, as the documents' event and as an entry in their queue. */
export function toCompatReview(review: Review) {
  const { id, sessionId, at, toolName, toolInput, status, ruleId, decidedAt, notes } = review;
  return {
    event_type: PENDING_REVIEW,
    id,
    tool_use_id: id,
    session_id: sessionId,
    timestamp: iso(at),
    tool_name: toolName,
    tool_input: toolInput,
    status,
    rule_id: ruleId,
    user_decision: { pending: null, dismissed: null, approved: 'allow', denied: 'deny' }[status],
    decision_timestamp: decidedAt === null ? null : iso(decidedAt),
    decision_notes: notes,
  };
}
