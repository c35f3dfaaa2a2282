import { z } from 'zod';

/** Each role includes the next one. Admins manage devices, remote access, hooks and settings; operators act; viewers only view. */
export const ROLES = ['admin', 'operator', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** local: anyone who can read the data dir. browser: has a key. bearer: a script with a token. */
export const DEVICE_KINDS = ['local', 'browser', 'bearer'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

export const Device = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  kind: z.enum(DEVICE_KINDS),
  projects: z.array(z.string()).describe('The only project folders it sees and acts in; empty: all'),
  remote: z.boolean().describe('It signed in from another machine'),
  createdAt: z.number(),
  lastSeenAt: z.number().nullable(),
  expiresAt: z.number().nullable().describe('When it is signed out unless it is used before; null: never'),
  current: z.boolean().describe('The device making this request'),
});
export type Device = z.infer<typeof Device>;
export const DeviceList = z.object({ devices: z.array(Device) });

/** Folders that a device is limited to. */
const Projects = z
  .array(z.string().startsWith('/', 'must be an absolute path').max(4096))
  .max(50)
  .default([])
  .describe('Limit it to these project folders; empty: all');

/** An admin manages the whole machine, so there is nothing to limit. */
const isLimitable = ({ role, projects }: { role: Role; projects: string[] }): boolean =>
  role !== 'admin' || projects.length === 0;
const NOT_LIMITABLE = { message: 'an admin cannot be limited to projects', path: ['projects'] };

export const LinkRequest = z
  .object({
    role: z.enum(ROLES).default('operator'),
    projects: Projects,
    name: z.string().trim().min(1).max(80).optional(),
    remote: z
      .boolean()
      .default(false)
      .describe('For a device on another machine: at the public address, for 5 minutes, confirmed here'),
  })
  .strict()
  .refine(isLimitable, NOT_LIMITABLE);

/** A link that signs one browser in, once. */
export const Link = z.object({
  url: z.string(),
  code: z.string(),
  short: z.string().optional().describe('With `remote`: a code that can be typed'),
  expiresAt: z.number(),
  role: z.enum(ROLES),
});
export type Link = z.infer<typeof Link>;

export const PairRequest = z
  .object({
    code: z.string().trim().min(1).max(100),
    name: z.string().trim().min(1).max(80).optional(),
    key: z
      .base64url()
      .max(500)
      .optional()
      .describe("A browser's public key (ECDSA P-256, SPKI). It signs requests and gets no token"),
  })
  .strict();
export const Paired = z.object({
  device: Device,
  token: z.string().optional().describe('Bearer token for this device, if it has no key'),
});
export type Paired = z.infer<typeof Paired>;

/** A device on another machine that is waiting to be confirmed on this one. */
export const Pairing = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  projects: z.array(z.string()),
  match: z.string().describe('Shown on the device, too: `42-17`'),
  expiresAt: z.number(),
});
export type Pairing = z.infer<typeof Pairing>;
export const PairingList = z.object({ pairings: z.array(Pairing) });

/** The response to such a device: what to show, and how to ask for the outcome. */
export const PairingAsked = z.object({
  pairing: z.object({ id: z.string(), secret: z.string(), match: z.string(), expiresAt: z.number() }),
});
export type PairingAsked = z.infer<typeof PairingAsked>;
export const PairingOutcomeRequest = z.object({ id: z.string().max(64), secret: z.string().max(64) }).strict();
export const PairingOutcome = z.discriminatedUnion('state', [
  z.object({ state: z.literal('waiting') }),
  z.object({ state: z.literal('refused') }),
  Paired.extend({ state: z.literal('confirmed') }),
]);
export type PairingOutcome = z.infer<typeof PairingOutcome>;

/** A bearer token for a script, created by an operator. */
export const TokenRequest = z
  .object({ role: z.enum(ROLES).default('operator'), projects: Projects, name: z.string().trim().min(1).max(80) })
  .strict()
  .refine(isLimitable, NOT_LIMITABLE);

/** Carries the challenge that was given to the acting process. */
export const CHALLENGE_HEADER = 'x-groundcontrol-challenge';

export const Challenge = z.object({ challenge: z.string(), expiresAt: z.number() });

/** A terminal or program that may be the operator's or an agent's: it can't act until someone trusted confirms it. */
export const UnclearCaller = z.object({
  code: z.string().describe('Shown where the code was requested'),
  program: z.string(),
  pid: z.number(),
  terminal: z.string().nullable().describe("The system's name for it: pts/3"),
  sessionId: z.string().describe('The session it may belong to'),
  why: z
    .enum(['marked', 'opened'])
    .describe("marked: it carries the session's mark. opened: it was opened while one of the session's tools ran"),
  askedAt: z.number(),
});
export type UnclearCaller = z.infer<typeof UnclearCaller>;
export const UnclearCallerList = z.object({ callers: z.array(UnclearCaller) });
