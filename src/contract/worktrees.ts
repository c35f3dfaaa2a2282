import { z } from 'zod';
import { FileDiff } from './messages.ts';

/** Also the name of a session and, after `gctl/`, of a branch. */
export const WorktreeName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,60}$/, 'Use 1 to 60 letters, digits, hyphens and underscores');

export const WORKTREE_KINDS = ['worktree', 'scratch'] as const;
export const WORKTREE_STATES = ['creating', 'ready', 'removing', 'removed', 'failed'] as const;
export type WorktreeState = (typeof WORKTREE_STATES)[number];

/** Where the worktree started, and what it is missing from the project's checkout. */
export const WorktreeBase = z.object({
  ref: z.string().describe('As requested: HEAD, a branch, a tag or a commit'),
  branch: z.string().nullable().describe('The local branch that a merge goes to unless another one is named'),
  commit: z.string(),
  missing: z.object({
    uncommitted: z.number().describe("Changed or untracked files in the project's checkout"),
    commits: z.number().describe("Commits of the project's checkout that the base lacks"),
    behind: z.number().nullable().describe('Commits of the upstream branch that the base lacks, as of the last fetch'),
  }),
});
export type WorktreeBase = z.infer<typeof WorktreeBase>;

export const SetupRun = z.object({
  status: z.enum(['none', 'skipped', 'running', 'done', 'failed']),
  copied: z.array(z.string()).describe("Files copied from the project's checkout"),
  command: z.string().nullable().describe('The one that runs, or failed'),
  exitCode: z.number().nullable(),
  output: z.string().describe('The last lines of a failed command'),
});
export type SetupRun = z.infer<typeof SetupRun>;

export const MERGE_STRATEGIES = ['squash', 'merge', 'rebase'] as const;
export const MergeStrategy = z.enum(MERGE_STRATEGIES);
export type MergeStrategy = z.infer<typeof MergeStrategy>;

export const Merged = z.object({
  into: z.string(),
  commit: z.string(),
  strategy: MergeStrategy,
  head: z.string().describe("The worktree's commit that was merged"),
  at: z.number(),
});
export type Merged = z.infer<typeof Merged>;

export const Worktree = z.object({
  id: z.string(),
  kind: z.enum(WORKTREE_KINDS).describe('scratch: a separate folder without a repository'),
  name: z.string(),
  state: z.enum(WORKTREE_STATES),
  project: z.string().nullable().describe("The repository's main checkout; null for scratch folders"),
  path: z.string(),
  branch: z.string().nullable().describe('The branch it was created with'),
  base: WorktreeBase.nullable(),
  ports: z.object({ first: z.number(), count: z.number() }).nullable(),
  setup: SetupRun,
  merged: Merged.nullable(),
  createdAt: z.number(),
  createdBy: z.string(),
  sessionId: z.string().nullable().default(null).describe('The session it was created for'),
  removedAt: z.number().nullable(),
  snapshotId: z.string().nullable().describe('For a removed one: where its work is kept'),
  failure: z.string().nullable(),
});
export type Worktree = z.infer<typeof Worktree>;

export const MergeCheck = z.object({
  into: z.string(),
  outcome: z.enum(['clean', 'conflicts', 'nothing']),
  conflicts: z.array(z.string()).describe('Files that both sides changed'),
  baseDirty: z
    .number()
    .describe('Changed files in the checkout that has the branch: a merge is refused until there are none'),
});
export type MergeCheck = z.infer<typeof MergeCheck>;

/** Whether it can be removed without force, and if not, why. */
export const Removal = z.object({
  isSafe: z.boolean(),
  reasons: z.array(z.string()),
  ignored: z.object({
    kept: z.array(z.string()).describe('Ignored files that the snapshot keeps'),
    deleted: z.array(z.string()).describe('Ignored folders that can be rebuilt, such as node_modules: not kept'),
    tooLarge: z.array(z.string()).describe('Ignored files too large to keep: only a forced removal deletes them'),
  }),
});
export type Removal = z.infer<typeof Removal>;

export const WorktreeStatus = z.object({
  head: z.string(),
  headBranch: z.string().nullable().describe('null: detached'),
  operation: z.string().nullable().describe('An unfinished rebase, merge, cherry-pick or bisect'),
  changed: z.number(),
  untracked: z.number(),
  conflicted: z.number(),
  ahead: z.number().describe('Commits that the base lacks'),
  behind: z.number().describe('Commits that were added to the base since'),
  unpushed: z.number().describe('Commits that no remote has'),
  isMerged: z.boolean().describe('The base has all of its committed work, squashed or not'),
  merge: MergeCheck.nullable().describe('null: the branch it would go to is unknown'),
  removal: Removal,
});
export type WorktreeStatus = z.infer<typeof WorktreeStatus>;

export const WorktreeSession = z.object({ id: z.string(), title: z.string(), isLive: z.boolean() });

export const WorktreeView = Worktree.extend({
  sessions: z.array(WorktreeSession).describe('Sessions that work there or did'),
  isMissing: z.boolean().describe('Its folder is gone from the disk'),
});
export type WorktreeView = z.infer<typeof WorktreeView>;

/** A worktree of a known project that someone else created. We list it and leave it alone. */
export const ForeignWorktree = z.object({
  project: z.string(),
  path: z.string(),
  branch: z.string().nullable(),
  head: z.string().nullable(),
  isLocked: z.boolean(),
});
export type ForeignWorktree = z.infer<typeof ForeignWorktree>;

export const WorktreeList = z.object({ worktrees: z.array(WorktreeView), others: z.array(ForeignWorktree) });

export const WorktreeDetails = WorktreeView.extend({
  status: WorktreeStatus.nullable().describe('null: a scratch folder, or nothing is on the disk'),
  problem: z.string().nullable().describe('Why git could not say'),
});
export type WorktreeDetails = z.infer<typeof WorktreeDetails>;

export const WorktreeRequest = z
  .object({
    project: z.string().min(1).max(4096).describe('A folder in the repository'),
    name: WorktreeName,
    base: z.string().min(1).max(300).default('HEAD'),
    setup: z.enum(['run', 'skip']).default('run').describe('skip: no commands of the project are run'),
  })
  .strict();
export type WorktreeRequest = z.infer<typeof WorktreeRequest>;

export const ScratchCreate = z.object({ name: WorktreeName }).strict();

export const CHANGE_KINDS = ['added', 'modified', 'deleted', 'renamed', 'copied', 'type_changed'] as const;

export const ChangedFile = z.object({
  path: z.string(),
  oldPath: z.string().nullable().describe('Of a renamed or copied file'),
  change: z.enum(CHANGE_KINDS),
  added: z.number(),
  removed: z.number(),
  isBinary: z.boolean(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** Everything that changed since the base, committed or not. */
export const WorktreeDiff = z.object({
  from: z.string().describe('The commit it is compared with'),
  head: z.string(),
  tree: z.string().describe('Its state when compared: pass it to get files from the same moment'),
  added: z.number(),
  removed: z.number(),
  total: z.number().describe('Files'),
  files: z.array(ChangedFile).describe('At most 3,000'),
});
export type WorktreeDiff = z.infer<typeof WorktreeDiff>;

export const WorktreeFileDiff = FileDiff.extend({ isBinary: z.boolean(), tree: z.string() });
export type WorktreeFileDiff = z.infer<typeof WorktreeFileDiff>;

export const MergeRequest = z
  .object({
    strategy: MergeStrategy,
    into: z.string().min(1).max(300).optional().describe('A local branch; otherwise the one it started from'),
    message: z.string().max(20_000).optional(),
    tree: z.string().max(64).optional().describe('`tree` of the diff you reviewed: refused if it has changed since'),
  })
  .strict();
export type MergeRequest = z.infer<typeof MergeRequest>;

export const BranchRequest = z
  .object({ name: z.string().min(1).max(200), message: z.string().max(20_000).optional() })
  .strict();

export const BranchMade = z.object({ branch: z.string(), commit: z.string(), uncommitted: z.boolean() });

export const RemoveRequest = z.object({ force: z.boolean().default(false) }).strict();

export const Snapshot = z.object({
  id: z.string(),
  worktreeId: z.string(),
  name: z.string(),
  project: z.string().nullable(),
  at: z.number(),
  head: z.string().nullable(),
  branch: z.string().nullable(),
  commit: z.string().nullable().describe('refs/gctl/snap/<id>'),
  uncommitted: z.number().describe('Files whose changes were not committed'),
  lostCommits: z.array(z.string()).describe('Commits that no branch had'),
  ignored: Removal.shape.ignored,
});
export type Snapshot = z.infer<typeof Snapshot>;
export const SnapshotList = z.object({ snapshots: z.array(Snapshot) });

export const Removed = z.object({ worktree: Worktree, snapshot: Snapshot });

export const RestoreRequest = z.object({ name: WorktreeName.optional() }).strict();

/** `.groundcontrol/worktree.json` of a project, and whether its commands may run. */
export const ProjectSetup = z.object({
  project: z.string(),
  file: z.string().nullable().describe('null: the project has none'),
  hash: z.string().nullable(),
  copy: z.array(z.string()),
  setup: z.array(z.string()),
  teardown: z.array(z.string()),
  ports: z.number(),
  isAllowed: z.boolean().describe('The operator has agreed to these commands, or there are none'),
});
export type ProjectSetup = z.infer<typeof ProjectSetup>;

export const SetupConsent = z.object({ project: z.string().min(1).max(4096), hash: z.string().length(64) }).strict();
