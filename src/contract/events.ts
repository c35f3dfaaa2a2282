import { z } from 'zod';
import { Approval } from './approvals.ts';
import { Orchestration } from './orchestration.ts';
import { Prompt } from './prompts.ts';
import { Rule } from './rules.ts';
import { Collision, type EventSource } from './sessions.ts';
import type { StreamEvent } from './stream.ts';

/* Every event Ground Control itself writes to the journal: its subject, its payload, and the stream message that reports it. Agent events aren't listed: a source names them as it likes, and they are about their session (see agent-events.ts). */

/** What an event is about. */
export const EVENT_SUBJECTS = [
  'session',
  'approval',
  'rule',
  'review',
  'device',
  'hooks',
  'prices',
  'blueprint',
  'worktree',
  'comment',
  'queue',
  'fan_out',
  'notify',
] as const;
export type EventSubject = (typeof EVENT_SUBJECTS)[number];

interface EventType {
  subject: EventSubject;
  /** null: the session's own messages (discovered, updated, left, stopping) report it. */
  stream: StreamEvent | null;
  payload: z.ZodType;
}

const session = <P extends z.ZodType>(payload: P) => ({ subject: 'session', stream: null, payload }) as const;
const approval = <P extends z.ZodType>(stream: StreamEvent, payload: P) =>
  ({ subject: 'approval', stream, payload }) as const;

/** What was done, for the audit log. */
const Note = z.looseObject({ by: z.string().optional(), detail: z.string().optional() });
function changed(
  subject: EventSubject,
  stream: StreamEvent,
): { subject: EventSubject; stream: StreamEvent; payload: typeof Note };
function changed<P extends z.ZodType>(
  subject: EventSubject,
  stream: StreamEvent,
  payload: P,
): { subject: EventSubject; stream: StreamEvent; payload: P };
function changed(subject: EventSubject, stream: StreamEvent, payload: z.ZodType = Note): EventType {
  return { subject, stream, payload };
}
const Empty = z.object({});
const Call = z.object({ id: z.string().nullable(), name: z.string(), inputHash: z.string() });
const Pid = z.looseObject({ pid: z.number().nullable() });
const Stopping = z.object({ stop: z.looseObject({ state: z.enum(['stopping', 'stopped']), requestedBy: z.string() }) });
const Queued = Prompt.extend({ queued: z.number() });
const ApiAsk = z.looseObject({ approvalId: z.string(), toolName: z.string(), toolInput: z.unknown() });
const Applied = z.looseObject({
  by: z.enum(['rule', 'policy', 'stop']),
  decision: z.string(),
  toolName: z.string(),
  toolInput: z.unknown(),
  why: z.string(),
});
const About = z.object({ approval: Approval });
const Orchestrated = z.looseObject({ orchestration: Orchestration });
const Undecided = z.looseObject({ by: z.string(), detail: z.string(), undecided: Approval });
const RuleChange = z.looseObject({ by: z.string(), ruleId: z.string(), rule: Rule });

export const EVENTS = {
  'session.titled': session(z.object({ title: z.string().nullable() })),
  'session.deleted': session(Empty),
  'session.dismissed': session(Empty),
  'session.left': session(Empty),
  'session.stopping': session(Stopping),
  'session.unreached': session(Stopping),
  'session.stopped': session(Stopping),
  'session.stalled': session(Empty),
  'session.queued': session(Orchestrated),
  'session.launched': session(Orchestrated),
  'session.advanced': session(Orchestrated),
  'session.finished': session(Orchestrated),
  'session.settings': session(Orchestrated),
  'session.forgotten': session(Note),
  'attention.settled': session(Empty),
  'collision.observed': session(z.object({ collisions: z.array(Collision) })),
  'ask.raised': session(z.looseObject({ toolUseId: z.string(), toolName: z.string(), toolInput: z.unknown() })),
  'ask.decided': session(z.looseObject({ calls: z.array(Call), decision: z.enum(['allow', 'deny']) })),
  'ask.left_to_terminal': session(z.looseObject({ calls: z.array(Call) })),
  'api_ask.raised': session(ApiAsk),
  'api_ask.settled': session(ApiAsk),
  'prompt.queued': session(Queued),
  'prompt.delivered': session(Queued),
  'prompt.returned': session(Queued),
  'prompt.expired': session(Queued),
  'prompt.cancelled': session(Queued),
  'rule.applied': session(Applied),
  'policy.applied': session(Applied),
  'place.observed': session(
    z.object({ root: z.string().nullable(), checkout: z.string().nullable(), branch: z.string().nullable() }),
  ),
  'transcript.read': session(z.looseObject({})),
  'process.seen': session(Pid),
  'process.speaks': session(Pid),
  'process.gone': session(Pid),
  'calls.ended': session(z.object({ ids: z.array(z.string()) })),
  'status.corrected': session(z.looseObject({ status: z.enum(['idle', 'busy', 'waiting']) })),

  'approval.requested': approval('approval_request', About),
  'approval.held': approval('approval_updated', Undecided),
  'approval.undone': approval('approval_updated', Undecided),
  'approval.decided': approval('approval_decided', About),
  'approval.released': approval('approval_decided', About),
  'approval.delivered': approval('approval_delivery', About),
  'approval.not_delivered': approval('approval_delivery', About),

  'rule.created': changed('rule', 'rules_changed', RuleChange),
  'rule.updated': changed('rule', 'rules_changed', RuleChange),
  'rule.deleted': changed('rule', 'rules_changed', RuleChange),
  'rule.restored': changed('rule', 'rules_changed', RuleChange),
  'policy.set': changed('rule', 'rules_changed'),
  'project.strict': changed('rule', 'rules_changed'),
  'review.decided': changed('review', 'rules_changed'),
  'prices.changed': changed('prices', 'rules_changed'),

  'agent.saved': changed('blueprint', 'agents_changed'),
  'agent.removed': changed('blueprint', 'agents_changed'),

  'worktree.creating': changed('worktree', 'worktrees_changed'),
  'worktree.created': changed('worktree', 'worktrees_changed'),
  'worktree.failed': changed('worktree', 'worktrees_changed'),
  'worktree.adopted': changed('worktree', 'worktrees_changed'),
  'worktree.merged': changed('worktree', 'worktrees_changed'),
  'worktree.branched': changed('worktree', 'worktrees_changed'),
  'worktree.removing': changed('worktree', 'worktrees_changed'),
  'worktree.snapshotted': changed('worktree', 'worktrees_changed'),
  'worktree.removed': changed('worktree', 'worktrees_changed'),
  'worktree.kept': changed('worktree', 'worktrees_changed'),
  'worktree.restored': changed('worktree', 'worktrees_changed'),
  'worktree.setup_allowed': changed('worktree', 'worktrees_changed'),
  'notify.channel_added': changed('notify', 'notify_changed'),
  'notify.channel_changed': changed('notify', 'notify_changed'),
  'notify.channel_removed': changed('notify', 'notify_changed'),
  'notify.settings': changed('notify', 'notify_changed'),
  'notify.failed': changed('notify', 'notify_changed'),

  'comment.added': changed('comment', 'comments_changed'),
  'comment.edited': changed('comment', 'comments_changed'),
  'comment.removed': changed('comment', 'comments_changed'),
  'comment.sent': changed('comment', 'comments_changed'),

  'queue.paused': changed('queue', 'queue_changed'),
  'queue.resumed': changed('queue', 'queue_changed'),
  'queue.limited': changed('queue', 'queue_changed'),
  'queue.limits_set': changed('queue', 'queue_changed'),

  'fan_out.started': changed('fan_out', 'fan_outs_changed'),
  'fan_out.opened': changed('fan_out', 'fan_outs_changed'),
  'fan_out.kept': changed('fan_out', 'fan_outs_changed'),
  'fan_out.discarded': changed('fan_out', 'fan_outs_changed'),
  'fan_out.cleared': changed('fan_out', 'fan_outs_changed'),

  'access.linked': changed('device', 'access_changed'),
  'access.paired': changed('device', 'access_changed'),
  'access.pairing': changed('device', 'access_changed'),
  'access.pairing_refused': changed('device', 'access_changed'),
  'access.remote': changed('device', 'access_changed'),
  'access.token': changed('device', 'access_changed'),
  'access.passkey_settings': changed('device', 'access_changed'),
  'access.passkey_code': changed('device', 'access_changed'),
  'access.passkey_added': changed('device', 'access_changed'),
  'access.passkey_renamed': changed('device', 'access_changed'),
  'access.passkey_revoked': changed('device', 'access_changed'),
  'access.passkey_used': changed('device', 'access_changed'),
  'access.revoked': changed('device', 'access_changed'),
  'access.expired': changed('device', 'access_changed'),
  'access.confirmed': changed('device', 'access_changed'),
  'access.dismissed': changed('device', 'access_changed'),
  'access.asked': changed('device', 'access_changed'),
  'access.refused': changed('device', 'access_changed'),
  'away.set': changed('device', 'access_changed'),
  'hooks.installed': changed('hooks', 'access_changed'),
  'hooks.removed': changed('hooks', 'access_changed'),
  'hooks.restored': changed('hooks', 'access_changed'),
  'hooks.recovered': changed('hooks', 'access_changed'),
  'hooks.lost': changed('hooks', 'access_changed'),
  'hooks.contested': changed('hooks', 'access_changed'),
  'hooks.strict_restored': changed('hooks', 'access_changed'),
  'hooks.strict_lost': changed('hooks', 'access_changed'),
  'hooks.strict_contested': changed('hooks', 'access_changed'),
} as const satisfies Record<string, EventType>;
export type EventName = keyof typeof EVENTS;

/** Event names with this prefix: `EventsOf<'hooks'>` are the events about hooks. */
export type EventsOf<Subject extends string> = Extract<EventName, `${Subject}.${string}`>;

/** What can be recorded: one of our events with its payload, or an agent's event under any name. */
export type EventDraft = OwnEvent | AgentReport;
type OwnEvent = {
  [N in EventName]: { source: OwnSource; name: N; payload: z.input<(typeof EVENTS)[N]['payload']> };
}[EventName];
type OwnSource = Exclude<EventSource, AgentReport['source']>;
interface AgentReport {
  source: 'hook' | 'runner';
  name: string;
  payload: Record<string, unknown>;
}

/** The name and the payload of one of those events. */
export type EventNews<Subject extends string> = {
  [N in EventsOf<Subject>]: { name: N; payload: z.input<(typeof EVENTS)[N]['payload']> };
}[EventsOf<Subject>];

/** A session named in an event is its subject, unless the event is about an approval. */
const OF_A_SESSION: EventType = session(z.looseObject({}));
const UNKNOWN: EventType = changed('rule', 'rules_changed');

/** What is known about an event. An unknown one, from another version, counts as its session's. */
export function eventType(event: { source: EventSource; name: string; sessionId: string }): EventType {
  // a hook may use any name
  if (event.source === 'hook' || event.source === 'runner') return OF_A_SESSION;
  const known = Object.hasOwn(EVENTS, event.name) ? EVENTS[event.name as EventName] : undefined;
  if (event.sessionId !== '' && known?.subject !== 'approval') return OF_A_SESSION;
  return known ?? UNKNOWN;
}

/** Why an event about to be recorded doesn't match the catalog. undefined: it does. */
export function faultIn(event: { source: EventSource; name: string; payload: unknown }): string | undefined {
  if (event.source === 'hook' || event.source === 'runner') return undefined;
  if (!Object.hasOwn(EVENTS, event.name)) return `${event.name} is not in contract/events.ts`;
  const { success, error } = EVENTS[event.name as EventName].payload.safeParse(event.payload);
  return success ? undefined : `${event.name}: ${z.prettifyError(error)}`;
}
