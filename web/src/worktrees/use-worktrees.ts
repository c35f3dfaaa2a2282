import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  branchWorktree,
  diffWorktree,
  diffWorktreeFile,
  getWorktree,
  listSnapshots,
  listWorktrees,
  mergeWorktree,
  removeWorktree,
  restoreSnapshot,
} from '../../../src/contract/routes/worktrees.ts';
import type { MergeRequest } from '../../../src/contract/worktrees.ts';
import { call } from '../api/request.ts';

export function useWorktrees() {
  return useQuery({
    queryKey: ['worktrees'],
    queryFn: ({ signal }) => call(listWorktrees, { signal }),
  });
}

export function useWorktree(id: string) {
  return useQuery({
    queryKey: ['worktrees', id],
    queryFn: ({ signal }) => call(getWorktree, { params: { id }, signal }),
    // agents change files without reporting it, so poll
    refetchInterval: ({ state }) => (state.data?.sessions.some(({ isLive }) => isLive) ? 15_000 : false),
  });
}

export function useWorktreeDiff(id: string, { enabled = true } = {}) {
  return useQuery({
    queryKey: ['worktrees', id, 'diff'],
    queryFn: ({ signal }) => call(diffWorktree, { params: { id }, signal }),
    enabled,
    placeholderData: (before) => before,
  });
}

export function useFileDiff(
  id: string,
  { path, tree }: { path: string; tree: string },
  { enabled }: { enabled: boolean },
) {
  return useQuery({
    queryKey: ['worktree-file', id, tree, path],
    queryFn: ({ signal }) => call(diffWorktreeFile, { params: { id }, query: { path, tree }, signal }),
    enabled,
    // a snapshot: it never changes
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useSnapshots() {
  return useQuery({
    queryKey: ['worktrees', 'snapshots'],
    queryFn: async ({ signal }) => (await call(listSnapshots, { signal })).snapshots,
  });
}

export function useWorktreeActions() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['worktrees'] });
  const merge = useMutation({
    mutationFn: ({ id, ...body }: MergeRequest & { id: string }) => call(mergeWorktree, { params: { id }, body }),
    onSuccess,
  });
  const branch = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      call(branchWorktree, { params: { id }, body: { name } }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: ({ id, force }: { id: string; force: boolean }) =>
      call(removeWorktree, { params: { id }, body: { force } }),
    onSuccess,
  });
  const restore = useMutation({
    mutationFn: (snapshotId: string) => call(restoreSnapshot, { params: { id: snapshotId } }),
    onSuccess,
  });
  return { merge, branch, remove, restore };
}
