import { z } from 'zod';

/** A hook's payload. Only the two names are required; every other field is kept as received. */
export const HookPayload = z.looseObject({ session_id: z.string().min(1), hook_event_name: z.string().min(1) });
export type HookPayload = z.infer<typeof HookPayload>;

/** The client reads `{}` as "no opinion, continue". */
export const HookAnswer = z.record(z.string(), z.unknown());
export type HookAnswer = z.infer<typeof HookAnswer>;

export const HooksStatus = z.object({
  consent: z.enum(['yes', 'no', 'unasked']),
  state: z.enum(['installed', 'stale', 'partial', 'missing', 'invalid']),
  path: z.string().describe('The settings file'),
  detail: z.string().describe('One sentence for the operator'),
  fix: z.string().nullable(),
  warning: z.string().nullable().describe('A warning, such as that git would expose the token in the file'),
  events: z.array(z.string()),
});
export type HooksStatus = z.infer<typeof HooksStatus>;

export const HooksChange = z.enum(['install', 'remove']);
export type HooksChange = z.infer<typeof HooksChange>;

export const HooksPreview = z.object({ path: z.string(), diff: z.string() });
export type HooksPreview = z.infer<typeof HooksPreview>;
