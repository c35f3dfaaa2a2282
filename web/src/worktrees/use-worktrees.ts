import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  ForeignWorktree,
  MergeRequest,
  Snapshot,
  Worktree,
  WorktreeDetails,
  WorktreeDiff,
  WorktreeFileDiff,
  WorktreeView,
} from '../../../src/contract/worktrees.ts';
import { getJson, postJson } from '../api/request.ts';

const at = (id: string): string => `/api/worktrees/${encodeURIComponent(id)}`;

export function useWorktrees() {
  return useQuery({
    queryKey: ['worktrees'],
    queryFn: ({ signal }) =>
      getJson<{ worktrees: WorktreeView[]; others: ForeignWorktree[] }>('/api/worktrees', { signal }),
  });
}

export function useWorktree(id: string) {
  return useQuery({
    queryKey: ['worktrees', id],
    queryFn: ({ signal }) => getJson<WorktreeDetails>(at(id), { signal }),
    // an agent at work changes files without telling us
    refetchInterval: ({ state }) => (state.data?.sessions.some(({ isLive }) => isLive) ? 15_000 : false),
  });
}

export function useWorktreeDiff(id: string, { enabled = true } = {}) {
  return useQuery({
    queryKey: ['worktrees', id, 'diff'],
    queryFn: ({ signal }) => getJson<WorktreeDiff>(`${at(id)}/diff`, { signal }),
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
    queryFn: ({ signal }) =>
      getJson<WorktreeFileDiff>(`${at(id)}/diff/file?${new URLSearchParams({ path, tree })}`, { signal }),
    enabled,
    // of one moment: it stays as it is
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useSnapshots() {
  return useQuery({
    queryKey: ['worktrees', 'snapshots'],
    queryFn: async ({ signal }) =>
      (await getJson<{ snapshots: Snapshot[] }>('/api/worktrees/snapshots', { signal })).snapshots,
  });
}

export function useWorktreeActions() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['worktrees'] });
  const merge = useMutation({
    mutationFn: ({ id, ...body }: MergeRequest & { id: string }) => postJson<Worktree>(`${at(id)}/merge`, body),
    onSuccess,
  });
  const branch = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      postJson<{ branch: string; commit: string }>(`${at(id)}/branch`, { name }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: ({ id, force }: { id: string; force: boolean }) =>
      postJson<{ snapshot: Snapshot }>(`${at(id)}/remove`, { force }),
    onSuccess,
  });
  const restore = useMutation({
    mutationFn: (snapshotId: string) => postJson<Worktree>(`/api/worktrees/snapshots/${snapshotId}/restore`),
    onSuccess,
  });
  return { merge, branch, remove, restore };
}
