import { z } from 'zod';

/** queued: waits for the session. delivered: its client has it. expired: nothing took it in time, or the session ended. */
export const PROMPT_STATUSES = ['queued', 'delivered', 'expired', 'cancelled'] as const;
export type PromptStatus = (typeof PROMPT_STATUSES)[number];

/** The operator's prompt to a session in a terminal. */
export const Prompt = z.object({
  id: z.string(),
  sessionId: z.string(),
  text: z.string(),
  status: z.enum(PROMPT_STATUSES),
  createdAt: z.number(),
  deliveredAt: z.number().optional(),
  expiresAt: z.number(),
  by: z.string().describe('The device that sent it'),
  note: z.string().optional().describe('While queued: what it waits for. Expired or canceled: why'),
});
export type Prompt = z.infer<typeof Prompt>;

export const PromptList = z.object({
  prompts: z.array(Prompt).describe('Oldest first'),
  waitsFor: z.string().nullable().describe('What a prompt sent now would wait for. null: nothing'),
});
export type PromptList = z.infer<typeof PromptList>;

/** The client cuts off the front of hook output beyond 100,000 characters. */
const MAX_TEXT = 50_000;

export const PromptRequest = z
  .object({
    text: z
      .string()
      .trim()
      .min(1, 'say something')
      .max(MAX_TEXT)
      .refine((text) => !text.includes('\u0000'), "a prompt can't contain NUL characters"),
    expiresInSeconds: z
      .number()
      .int()
      .min(1)
      .max(7 * 86_400)
      .default(86_400)
      .describe('How long it may wait for the session'),
    asText: z
      .boolean()
      .default(false)
      .describe(
        'Send what looks like a Claude Code command (/compact, !ls) to the model as plain text. Otherwise it is refused',
      ),
  })
  .strict();
export type PromptRequest = z.infer<typeof PromptRequest>;
