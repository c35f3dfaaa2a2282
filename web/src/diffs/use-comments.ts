import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CommentDraft, CommentSubject, DiffComment } from '../../../src/contract/comments.ts';
import {
  addComment,
  deleteComment,
  editComment,
  listComments,
  sendComments,
} from '../../../src/contract/routes/comments.ts';
import { call, messageOf } from '../api/request.ts';
import { toast } from '../ui/toasts.tsx';

const NONE: DiffComment[] = [];

/** Comments on one diff, and the actions on them. */
export function useComments(subject: CommentSubject) {
  const queries = useQueryClient();
  const queryKey = ['comments', subject.kind, subject.id];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await call(listComments, { query: subject, signal })).comments,
  });
  const settled = {
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: (error: unknown) => void toast({ tone: 'red', text: messageOf(error) }),
  };
  const add = useMutation({
    mutationFn: (draft: Omit<CommentDraft, 'subject'>) => call(addComment, { body: { subject, ...draft } }),
    ...settled,
  });
  const edit = useMutation({
    mutationFn: ({ id, text }: { id: string; text: string }) => call(editComment, { params: { id }, body: { text } }),
    ...settled,
  });
  const remove = useMutation({ mutationFn: (id: string) => call(deleteComment, { params: { id } }), ...settled });
  const send = useMutation({
    mutationFn: (body: { sessionId: string; note?: string }) => call(sendComments, { body: { subject, ...body } }),
    ...settled,
  });
  return { comments: data ?? NONE, add, edit, remove, send };
}

export type CommentActions = ReturnType<typeof useComments>;
