import { z } from 'zod';
import { Moment } from './moment.ts';
import { Lifecycle } from './orchestration.ts';

const Limit = z.number().int().min(1).max(1000);

/** How many sessions started by Ground Control may run at once. */
export const QueueLimits = z.object({
  machine: Limit,
  project: Limit.nullable().describe('For each project unless it has its own; null: only the limit of the machine'),
  projects: z.record(z.string(), Limit),
});
export type QueueLimits = z.infer<typeof QueueLimits>;

export const QueueLimitsChange = z
  .object({
    machine: Limit.nullable().optional().describe('null: the default for this machine'),
    project: Limit.nullable().optional(),
    projects: z.record(z.string().min(1).max(4096), Limit.nullable()).optional().describe('null: no limit of its own'),
  })
  .strict();
export type QueueLimitsChange = z.infer<typeof QueueLimitsChange>;

export const QueuePause = z.object({
  kind: z.enum(['operator', 'limit']),
  why: z.string(),
  since: z.number(),
  until: z.number().nullable().describe('When it resumes on its own. null: when the operator resumes it'),
});
export type QueuePause = z.infer<typeof QueuePause>;

export const QueueEntry = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string().nullable(),
  prompt: z.string(),
  lifecycle: Lifecycle,
  priority: z.number(),
  startAt: z.number().nullable(),
  after: z.array(z.string()),
  waitsFor: z.string().nullable(),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
});
export type QueueEntry = z.infer<typeof QueueEntry>;

export const QueueView = z.object({
  limits: QueueLimits,
  isAutomatic: z.boolean().describe("The machine's limit was not set by the operator"),
  allowed: z.number().describe('How many may run right now: fewer than the limit after a usage limit or overload'),
  pause: QueuePause.nullable(),
  total: z.number().describe('How many wait'),
  waiting: z.array(QueueEntry).describe('In the order in which they would start; at most 500'),
  running: z.array(QueueEntry),
});
export type QueueView = z.infer<typeof QueueView>;

export const QueueMove = z
  .object({
    priority: z.number().int().min(-1000).max(1000).optional(),
    startAt: Moment.nullable().optional().describe('Epoch milliseconds; null: as soon as it can'),
  })
  .strict();
export type QueueMove = z.infer<typeof QueueMove>;
