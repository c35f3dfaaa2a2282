import { z } from 'zod';

/** A page reports that someone is looking at it. This counts as long as its stream is open and its input is recent. */
export const PresenceReport = z
  .object({
    tab: z.string().min(1).max(64).describe('Chosen by the page for its lifetime; also `?tab=` of its stream'),
    visible: z.boolean(),
    inputAgoMs: z
      .number()
      .int()
      .min(0)
      .nullable()
      .describe('Time since the last key press, click, touch or pointer move on the page. null: none yet'),
  })
  .strict();
export type PresenceReport = z.infer<typeof PresenceReport>;

/** active: a visible page with recent input. idle: a visible page without. none: no visible page. */
export const PRESENCE_LEVELS = ['active', 'idle', 'none'] as const;
export type PresenceLevel = (typeof PRESENCE_LEVELS)[number];

export const PresenceAnswer = z.object({ presence: z.enum(PRESENCE_LEVELS) });
