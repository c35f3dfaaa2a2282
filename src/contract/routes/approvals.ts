import { z } from 'zod';
import {
  APPROVAL_STATUSES,
  Approval,
  ApprovalList,
  ApprovalTimeout,
  ApprovalTimeoutState,
  Away,
  DELIVERY_STATES,
  DecisionRequest,
  DecisionResult,
  EditPreview,
  HoldSettings,
  HoldState,
  UndoWindow,
} from '../approvals.ts';
import { PresenceAnswer, PresenceReport } from '../presence.ts';
import { AlwaysRule } from '../rules.ts';
import { ById, route } from './route.ts';

const tag = 'approvals';
const MEGABYTE = 1024 * 1024;

export const listApprovals = route({
  method: 'GET',
  path: '/api/approvals',
  tag,
  query: z.object({
    status: z.enum(APPROVAL_STATUSES).optional(),
    sessionId: z.string().optional(),
    delivery: z.enum(DELIVERY_STATES).optional().describe('Decided ones, by whether the decision was delivered'),
    limit: z.coerce.number().int().min(1).max(1000).default(500),
  }),
  answer: ApprovalList,
});
export const getApproval = route({ method: 'GET', path: '/api/approvals/:id', tag, params: ById, answer: Approval });
export const previewApprovalEdit = route({
  method: 'GET',
  path: '/api/approvals/:id/edit-preview',
  tag,
  params: ById,
  answer: EditPreview,
});
export const getAlwaysRule = route({
  method: 'GET',
  path: '/api/approvals/:id/rule',
  tag,
  params: ById,
  answer: AlwaysRule,
});
export const decideApproval = route({
  method: 'POST',
  path: '/api/approvals/:id/decision',
  tag,
  params: ById,
  body: DecisionRequest,
  bodyLimit: 16 * MEGABYTE,
  answer: DecisionResult,
});
export const undoDecision = route({
  method: 'DELETE',
  path: '/api/approvals/:id/decision',
  tag,
  params: ById,
  answer: Approval,
});
export const releaseApproval = route({
  method: 'POST',
  path: '/api/approvals/:id/release',
  tag,
  params: ById,
  answer: Approval,
});

export const getUndoWindow = route({ method: 'GET', path: '/api/undo-window', tag, answer: UndoWindow });
export const setUndoWindow = route({
  method: 'PUT',
  path: '/api/undo-window',
  tag,
  body: UndoWindow,
  answer: UndoWindow,
});
export const getApprovalTimeout = route({
  method: 'GET',
  path: '/api/approval-timeout',
  tag,
  answer: ApprovalTimeoutState,
});
export const setApprovalTimeout = route({
  method: 'PUT',
  path: '/api/approval-timeout',
  tag,
  body: ApprovalTimeout,
  answer: ApprovalTimeoutState,
});
export const getAway = route({ method: 'GET', path: '/api/away', tag, answer: Away });
export const setAway = route({ method: 'PUT', path: '/api/away', tag, body: Away, answer: Away });
export const getHold = route({ method: 'GET', path: '/api/hold', tag, answer: HoldState });
export const setHold = route({ method: 'PUT', path: '/api/hold', tag, body: HoldSettings, answer: HoldState });
/** A viewer's page reports like any other, but no request waits for it. */
export const reportPresence = route({
  method: 'POST',
  path: '/api/presence',
  tag,
  role: 'viewer',
  body: PresenceReport,
  answer: PresenceAnswer,
});
