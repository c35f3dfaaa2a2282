import { z } from 'zod';

/** What a diff covers: everything in a worktree, or the changes made by one session's tools. */
export const CommentSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('worktree'), id: z.string().min(1).max(200) }).strict(),
  z.object({ kind: z.literal('session'), id: z.string().min(1).max(200) }).strict(),
]);
export type CommentSubject = z.infer<typeof CommentSubject>;

/** Where in a diff: enough to find the place again after the file has changed. */
export const CommentPlace = z.object({
  path: z.string().min(1).max(4096),
  side: z.enum(['old', 'new']).describe('old: a removed line, by its number before the change'),
  line: z.number().int().min(1),
  code: z.string().max(2000).describe('The line itself'),
  commit: z.string().max(64).nullable().describe('HEAD when the comment was written; null: not known'),
});
export type CommentPlace = z.infer<typeof CommentPlace>;

const CommentText = z.string().trim().min(1).max(20_000);

export const DiffComment = z.object({
  id: z.string(),
  subject: CommentSubject,
  ...CommentPlace.shape,
  text: z.string(),
  by: z.string(),
  at: z.number(),
  sent: z.object({ at: z.number(), sessionId: z.string() }).nullable(),
});
export type DiffComment = z.infer<typeof DiffComment>;

export const CommentDraft = z.object({ subject: CommentSubject, ...CommentPlace.shape, text: CommentText }).strict();
export type CommentDraft = z.infer<typeof CommentDraft>;

export const CommentEdit = z.object({ text: CommentText }).strict();

export const CommentList = z.object({ comments: z.array(DiffComment) });

export const CommentsSend = z
  .object({
    subject: CommentSubject,
    sessionId: z.string().min(1).max(200),
    note: z.string().trim().max(20_000).optional().describe('Text before the comments'),
  })
  .strict();
export type CommentsSend = z.infer<typeof CommentsSend>;

export const CommentsSent = z.object({ sent: z.number(), prompt: z.string() });
