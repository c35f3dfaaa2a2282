import { z } from 'zod';
import { OrchestratedSession, SessionName, StartSpec } from './orchestration.ts';
import { MergeRequest } from './worktrees.ts';

/** A single run is no fan-out, and each run is a client with its own checkout. */
export const FAN_OUT_RUNS = { min: 2, max: 16 } as const;

/** How one of the runs differs from the others. An empty one is a plain repetition. */
export const FanOutVariant = StartSpec.pick({ driver: true, blueprint: true, model: true, permissionMode: true })
  .extend({ parameters: z.record(z.string(), z.unknown()).optional() })
  .partial({ driver: true })
  .strict();
export type FanOutVariant = z.infer<typeof FanOutVariant>;

/** One prompt for several agents, each in its own worktree of the same commit. */
export const FanOutRequest = StartSpec.pick({
  agentsDir: true,
  prompt: true,
  allowedTools: true,
  deniedTools: true,
  budget: true,
  resultSchema: true,
  priority: true,
  startAt: true,
  consent: true,
  approvalTimeoutSeconds: true,
})
  .extend({
    name: SessionName.max(55).describe('Its sessions are NAME-1, NAME-2 and so on'),
    cwd: z.string().startsWith('/', 'use an absolute path').max(4096).describe('A folder in the repository'),
    base: z.string().min(1).max(300).default('HEAD').describe('A branch or commit that all of them start from'),
    setup: z.enum(['run', 'skip']).default('run').describe("skip: the project's setup commands are not run"),
    parameters: z.record(z.string(), z.unknown()).default({}).describe("For the blueprints' `{{name}}`"),
    runs: z.array(FanOutVariant).min(FAN_OUT_RUNS.min).max(FAN_OUT_RUNS.max),
  })
  .strict();
export type FanOutRequest = z.infer<typeof FanOutRequest>;

/**
 * `starting`: its sessions are being started. `running`: at least one works or waits in the queue. `finished`: all have ended, and the
 * operator can choose. `kept`: one was chosen. `discarded`: none was.
 */
export const FAN_OUT_STATES = ['starting', 'running', 'finished', 'kept', 'discarded'] as const;
export const FanOutState = z.enum(FAN_OUT_STATES);

export const FanOutRun = z.object({
  name: z.string(),
  driver: z.string(),
  blueprint: z.string().nullable(),
  model: z.string().nullable(),
  error: z.string().nullable().describe("Why it couldn't be started"),
  session: OrchestratedSession.nullable().describe('null: not started yet, or deleted'),
  answer: z.string().nullable().describe('The last answer, cut to 4,000 characters'),
  worktree: z
    .object({ id: z.string(), name: z.string(), path: z.string(), branch: z.string().nullable(), state: z.string() })
    .nullable(),
  changes: z
    .object({ files: z.number(), added: z.number(), removed: z.number(), tree: z.string() })
    .nullable()
    .describe('Since the base, committed or not. null: no worktree, or it is gone'),
  snapshotId: z.string().nullable().describe('Where the work of a removed one is kept'),
});
export type FanOutRun = z.infer<typeof FanOutRun>;

export const FanOutKept = z.object({
  run: z.string(),
  how: z.enum(['merge', 'branch']),
  branch: z.string().describe('Merged into, or created'),
  commit: z.string(),
});

export const FanOut = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string(),
  prompt: z.string(),
  base: z.object({
    ref: z.string(),
    branch: z.string().nullable().describe('The branch that a merge goes to unless another one is named'),
    commit: z.string(),
  }),
  state: FanOutState,
  kept: FanOutKept.nullable(),
  isClearing: z.boolean().describe('The worktrees that were not kept are being removed'),
  leftovers: z
    .array(z.object({ run: z.string(), why: z.string() }))
    .describe('Worktrees that could not be removed. Keep or discard again to retry'),
  startedBy: z.string(),
  createdAt: z.number(),
  settledAt: z.number().nullable(),
  runs: z.array(FanOutRun),
});
export type FanOut = z.infer<typeof FanOut>;

export const FanOutSummary = FanOut.extend({
  runs: z.array(
    FanOutRun.pick({ name: true, blueprint: true, model: true, error: true }).extend({
      sessionId: z.string().nullable(),
      lifecycle: OrchestratedSession.shape.lifecycle.nullable(),
    }),
  ),
});
export type FanOutSummary = z.infer<typeof FanOutSummary>;
export const FanOutList = z.object({ fanOuts: z.array(FanOutSummary) });
export const FanOutQuery = z.object({
  project: z.string().max(4096).optional().describe('A folder of the project'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const Chosen = { run: z.string().min(1).max(200).describe('The name of the run, or the id of its session') };

/** Keeps one and removes the worktrees of the others, each with a snapshot. */
export const KeepRequest = z.discriminatedUnion('how', [
  z.object({ ...Chosen, how: z.literal('merge'), ...MergeRequest.shape }).strict(),
  z
    .object({
      ...Chosen,
      how: z.literal('branch'),
      branch: z.string().min(1).max(200),
      message: z.string().max(20_000).optional(),
    })
    .strict(),
]);
export type KeepRequest = z.infer<typeof KeepRequest>;
