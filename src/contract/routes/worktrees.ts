import { z } from 'zod';
import {
  BranchMade,
  BranchRequest,
  MergeRequest,
  ProjectSetup,
  Removed,
  RemoveRequest,
  RestoreRequest,
  ScratchCreate,
  SetupConsent,
  SnapshotList,
  Worktree,
  WorktreeDetails,
  WorktreeDiff,
  WorktreeFileDiff,
  WorktreeList,
  WorktreeRequest,
} from '../worktrees.ts';
import { ById, route } from './route.ts';

const tag = 'worktrees';

export const listWorktrees = route({
  method: 'GET',
  path: '/api/worktrees',
  tag,
  query: z.object({
    project: z.string().max(4096).optional(),
    removed: z.stringbool().default(false).describe('Also those that were removed'),
  }),
  answer: WorktreeList,
});
export const createWorktree = route({
  method: 'POST',
  path: '/api/worktrees',
  tag,
  body: WorktreeRequest,
  status: 201,
  answer: Worktree,
});
export const createScratch = route({
  method: 'POST',
  path: '/api/worktrees/scratch',
  tag,
  body: ScratchCreate,
  status: 201,
  answer: Worktree,
});
/** Only operators may search the disk for projects. */
export const getProjectSetup = route({
  method: 'GET',
  path: '/api/worktrees/setup',
  tag,
  role: 'operator',
  query: z.object({ project: z.string().min(1).max(4096) }),
  answer: ProjectSetup,
});
export const allowProjectSetup = route({
  method: 'POST',
  path: '/api/worktrees/setup',
  tag,
  body: SetupConsent,
  answer: ProjectSetup,
});
export const listSnapshots = route({ method: 'GET', path: '/api/worktrees/snapshots', tag, answer: SnapshotList });
export const restoreSnapshot = route({
  method: 'POST',
  path: '/api/worktrees/snapshots/:id/restore',
  tag,
  params: ById,
  body: RestoreRequest,
  status: 201,
  answer: Worktree,
});
export const getWorktree = route({
  method: 'GET',
  path: '/api/worktrees/:id',
  tag,
  params: ById,
  answer: WorktreeDetails,
});
export const diffWorktree = route({
  method: 'GET',
  path: '/api/worktrees/:id/diff',
  tag,
  params: ById,
  answer: WorktreeDiff,
});
export const diffWorktreeFile = route({
  method: 'GET',
  path: '/api/worktrees/:id/diff/file',
  tag,
  params: ById,
  query: z.object({
    path: z.string().min(1).max(4096),
    tree: z.string().max(64).optional().describe('`tree` of the diff'),
    context: z.coerce.number().int().min(0).max(1000).default(3).describe('Lines around a change'),
  }),
  answer: WorktreeFileDiff,
});
/** A patch for `git apply`, as text. Secrets in it can't be masked, so viewers don't get it. */
export const patchWorktree = route({
  method: 'GET',
  path: '/api/worktrees/:id/patch',
  tag,
  role: 'operator',
  params: ById,
});
export const mergeWorktree = route({
  method: 'POST',
  path: '/api/worktrees/:id/merge',
  tag,
  params: ById,
  body: MergeRequest,
  answer: Worktree,
});
export const branchWorktree = route({
  method: 'POST',
  path: '/api/worktrees/:id/branch',
  tag,
  params: ById,
  body: BranchRequest,
  status: 201,
  answer: BranchMade,
});
export const removeWorktree = route({
  method: 'POST',
  path: '/api/worktrees/:id/remove',
  tag,
  params: ById,
  body: RemoveRequest,
  answer: Removed,
});
