import { z } from 'zod';
import { CommentDraft, CommentEdit, CommentList, CommentsSend, CommentsSent, DiffComment } from '../comments.ts';
import { ById, NOTHING, route } from './route.ts';

const tag = 'comments';

export const listComments = route({
  method: 'GET',
  path: '/api/comments',
  tag,
  query: z.object({ kind: z.enum(['worktree', 'session']), id: z.string().min(1).max(200) }),
  answer: CommentList,
});
export const addComment = route({
  method: 'POST',
  path: '/api/comments',
  tag,
  body: CommentDraft,
  status: 201,
  answer: DiffComment,
});
export const editComment = route({
  method: 'PATCH',
  path: '/api/comments/:id',
  tag,
  params: ById,
  body: CommentEdit,
  answer: DiffComment,
});
export const deleteComment = route({ method: 'DELETE', path: '/api/comments/:id', tag, params: ById, ...NOTHING });
/** Sends all unsent comments as one prompt. */
export const sendComments = route({
  method: 'POST',
  path: '/api/comments/send',
  tag,
  body: CommentsSend,
  answer: CommentsSent,
});
