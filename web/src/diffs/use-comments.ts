import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CommentDraft, CommentSubject, DiffComment } from '../../../src/contract/comments.ts';
import { deleteJson, getJson, messageOf, patchJson, postJson } from '../api/request.ts';
import { toast } from '../ui/toasts.tsx';

const NONE: DiffComment[] = [];

/** Comments on one diff, and what can be done with them. */
export function useComments(subject: CommentSubject) {
  const queries = useQueryClient();
  const queryKey = ['comments', subject.kind, subject.id];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const asked = new URLSearchParams({ kind: subject.kind, id: subject.id });
      return (await getJson<{ comments: DiffComment[] }>(`/api/comments?${asked}`, { signal })).comments;
    },
  });
  const settled = {
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: (error: unknown) => void toast({ tone: 'red', text: messageOf(error) }),
  };
  const add = useMutation({
    mutationFn: (draft: Omit<CommentDraft, 'subject'>) => postJson<DiffComment>('/api/comments', { subject, ...draft }),
    ...settled,
  });
  const edit = useMutation({
    mutationFn: ({ id, text }: { id: string; text: string }) => patchJson(`/api/comments/${id}`, { text }),
    ...settled,
  });
  const remove = useMutation({ mutationFn: (id: string) => deleteJson(`/api/comments/${id}`), ...settled });
  const send = useMutation({
    mutationFn: (body: { sessionId: string; note?: string }) =>
      postJson<{ sent: number }>('/api/comments/send', { subject, ...body }),
    ...settled,
  });
  return { comments: data ?? NONE, add, edit, remove, send };
}

export type CommentActions = ReturnType<typeof useComments>;
