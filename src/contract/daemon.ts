import { z } from 'zod';
import { ApprovalTimeout, DEFAULT_UNDO_SECONDS, HoldSettings, UndoWindow } from './approvals.ts';
import { DEFAULT_STOP_WAIT_SECONDS, StopWait } from './control.ts';
import { Machine } from './machines.ts';
import { NotifySettings } from './notify.ts';
import { PasskeySettings } from './passkeys.ts';
import { QueueLimits } from './queue.ts';
import { Listener, ProxyAddress, PublicUrl, Tunnel } from './remote.ts';

export const DaemonStatus = z.object({
  version: z.string(),
  pid: z.number(),
  url: z.string(),
  dataDir: z.string(),
  configDir: z.string().describe("Claude Code's folder"),
  startedAt: z.number(),
  seq: z.number().describe('Newest journal position'),
  eventCount: z.number(),
  journalBytes: z.number().default(0),
  rssBytes: z.number(),
  streamClients: z.number(),
  counts: z.object({ needsYou: z.number(), autonomous: z.number(), delivered: z.number() }),
  unknownEvents: z.array(z.object({ name: z.string(), count: z.number(), lastSeenAt: z.number() })),
  journalFailure: z
    .object({ since: z.number(), message: z.string(), unwritten: z.number() })
    .nullable()
    .default(null)
    .describe(
      "The journal can't be written (for example, the disk is full): nothing is recorded and the board is frozen",
    ),
  machine: Machine,
  demo: z.boolean().default(false).describe('The agents are simulated and need no hooks'),
});
export type DaemonStatus = z.infer<typeof DaemonStatus>;

export const DaemonFile = z.object({
  pid: z.number(),
  port: z.number(),
  url: z.string(),
  version: z.string(),
  startedAt: z.number(),
});
export type DaemonFile = z.infer<typeof DaemonFile>;

export const Credentials = z.object({
  hookToken: z.string().describe('Can only post hooks'),
  localToken: z.string().describe("This machine's bearer token. Read-only, except for posting events"),
});
export type Credentials = z.infer<typeof Credentials>;

export const Preferences = z.object({
  hooks: z
    .enum(['yes', 'no'])
    .optional()
    .describe("Whether hooks may be installed in Claude's settings. Absent: not asked yet"),
  settleMs: z
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(2000)
    .describe('How long a state must last before it calls the operator'),
  keepEndedMs: z
    .number()
    .int()
    .min(0)
    .max(7 * 86_400_000)
    .default(1_800_000)
    .describe('How long a session stays on the board after it ends, unless dismissed'),
  away: z.boolean().default(false).describe('The operator answers from elsewhere'),
  holdSeconds: HoldSettings.shape.holdSeconds.default(1800),
  approvalTimeoutSeconds: ApprovalTimeout.shape.seconds.optional(),
  stopWaitSeconds: StopWait.shape.seconds.default(DEFAULT_STOP_WAIT_SECONDS),
  undoSeconds: UndoWindow.shape.seconds.default(DEFAULT_UNDO_SECONDS),
  journalDays: z
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(90)
    .describe('How long events are kept; decisions and other control events are kept forever'),
  journalMegabytes: z
    .number()
    .int()
    .min(50)
    .max(1_000_000)
    .default(1024)
    .describe('Above this size, the oldest events are removed'),
  notifyContact: NotifySettings.shape.contact.default(null),
  notifyBlind: NotifySettings.shape.blind.default([]),
  notifyHosts: z
    .array(z.string().max(300))
    .default([])
    .describe(
      "Hosts, with or without a port, that notifications may go to even if they are private or don't use https",
    ),
  passkeys: PasskeySettings.prefault({}).describe('Which actions need a passkey'),
  runnerLingerSeconds: z
    .number()
    .min(0)
    .max(86_400)
    .default(60)
    .describe('How long the process of a finished session waits for the next prompt'),
  sessionLimits: z
    .object({
      machine: QueueLimits.shape.machine.nullable().default(null),
      project: QueueLimits.shape.project.default(null),
      projects: QueueLimits.shape.projects.default({}),
    })
    .prefault({})
    .describe('How many sessions started by Ground Control may run at once; machine null: a default for this machine'),
  agreedBlueprints: z
    .array(z.string())
    .default([])
    .describe('What the operator has agreed to in blueprints of projects: `<project> <fingerprint>`'),
  publicUrls: z.array(PublicUrl).default([]).describe('Addresses of the page for other machines'),
  listener: Listener.nullable().default(null),
  trustedProxies: z.array(ProxyAddress).max(20).default([]).describe('Whose X-Forwarded-* headers count'),
  tunnel: Tunnel.nullable().default(null).describe('Kept open with the installed tool'),
  strictProjects: z.array(z.string()).default([]).describe('Projects where no tool runs without the daemon'),
});
export type Preferences = z.infer<typeof Preferences>;
