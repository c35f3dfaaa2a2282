import type { Snapshot, Worktree, WorktreeDetails, WorktreeView } from '../../contract/worktrees.ts';
import { ago, oneLine, paint, print } from '../output.ts';

export const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

export const HEAD = ['NAME', 'STATE', 'BRANCH', 'PROJECT', 'SESSIONS', 'AGE'];

export function toRow({ name, state, kind, branch, project, sessions, isMissing, createdAt }: WorktreeView): string[] {
  const live = sessions.filter(({ isLive }) => isLive).length;
  const standing = isMissing ? paint('red', 'missing') : live > 0 ? paint('green', 'in use') : state;
  return [name, standing, branch ?? kind, project ?? '', live > 0 ? String(live) : '', ago(createdAt)];
}

/** What the operator should know right after it was made. */
export function showMade({ path, branch, base, setup, ports }: Worktree): void {
  print(`Created ${path}${branch ? ` on ${branch}` : ''}`);
  if (base) {
    print(
      `  from ${base.ref === base.branch || !base.branch ? base.ref : `${base.ref} (${base.branch})`}, ${base.commit.slice(0, 12)}`,
    );
    const { uncommitted, commits, behind } = base.missing;
    if (uncommitted > 0) print(paint('yellow', `  without the project's ${plural(uncommitted, 'uncommitted file')}`));
    if (commits > 0) print(paint('yellow', `  without ${plural(commits, 'commit')} from the project's checkout`));
    if (behind) print(paint('yellow', `  ${plural(behind, 'commit')} behind its upstream, as of the last fetch`));
  }
  if (setup.copied.length > 0) print(`  copied ${setup.copied.slice(0, 10).map(oneLine).join(', ')}`);
  if (ports) print(`  ports ${ports.first} to ${ports.first + ports.count - 1}`);
  if (setup.status === 'failed')
    print(paint('red', `  setup failed (exit code ${setup.exitCode}): ${oneLine(setup.command ?? '')}`));
  if (setup.status === 'skipped') print('  setup commands skipped');
}

export function showDetails({ status, problem, merged, sessions, ...worktree }: WorktreeDetails): void {
  print(`${worktree.name}  ${worktree.path}`);
  if (worktree.project) print(`  project   ${worktree.project}`);
  for (const { title, isLive } of sessions) print(`  session   ${oneLine(title)}${isLive ? '' : ' (ended)'}`);
  if (problem !== null) print(paint('red', `  ${oneLine(problem)}`));
  if (worktree.isMissing) print(paint('red', '  Its folder is gone.'));
  if (!status) return;
  const { head, headBranch, ahead, behind, merge, removal } = status;
  const strays = worktree.branch !== null && headBranch !== worktree.branch;
  print(
    `  head      ${headBranch ?? 'detached'} ${head.slice(0, 12)}${strays ? paint('yellow', ` (started on ${worktree.branch})`) : ''}`,
  );
  if (worktree.base)
    print(`  base      ${worktree.base.branch ?? worktree.base.ref}: ${ahead} ahead, ${behind} behind`);
  print(`  files     ${plural(status.changed, 'changed file')}, ${status.untracked} untracked`);
  if (merge) print(`  merge     ${mergeText(merge)}`);
  if (merged) print(`  merged    ${merged.strategy} into ${merged.into} ${ago(merged.at)} ago`);
  print(`  remove    ${removal.isSafe ? 'safe' : removal.reasons.join(' ')}`);
}

function mergeText({
  into,
  outcome,
  conflicts,
  baseDirty,
}: NonNullable<NonNullable<WorktreeDetails['status']>['merge']>) {
  if (outcome === 'nothing') return `${into} has everything`;
  if (outcome === 'conflicts') return paint('yellow', `conflicts with ${into} in ${conflicts.map(oneLine).join(', ')}`);
  return baseDirty > 0 ? paint('yellow', `${into} is checked out with uncommitted changes`) : `clean into ${into}`;
}

export function showRemoval({ ignored }: NonNullable<WorktreeDetails['status']>['removal']): void {
  const show = (what: string, paths: string[]) => {
    if (paths.length > 0)
      print(`  ${what}: ${paths.slice(0, 20).map(oneLine).join(', ')}${paths.length > 20 ? ', …' : ''}`);
  };
  show('Ignored files the snapshot keeps', ignored.kept);
  show('Deleted, can be rebuilt', ignored.deleted);
  show('Too large to keep', ignored.tooLarge);
}

export function toSnapshotRow({ id, name, project, at, uncommitted, lostCommits }: Snapshot): string[] {
  return [
    id.slice(0, 8),
    name,
    project ?? 'scratch',
    `${ago(at)} ago`,
    `${plural(uncommitted, 'uncommitted file')}${lostCommits.length > 0 ? `, ${plural(lostCommits.length, 'detached commit')}` : ''}`,
  ];
}
