import { rm } from 'node:fs/promises';
import type { Worktree, WorktreeDiff, WorktreeFileDiff } from '../../contract/worktrees.ts';
import { numberLines, toFileDiff } from '../diffs/compare-texts.ts';
import { type CheckoutTree, makeQuarantine, type Quarantine, readCheckout } from './checkout-tree.ts';
import { WorktreeRefused } from './errors.ts';
import type { Git } from './git.ts';
import { parseRawDiff } from './parse-raw-diff.ts';
import { findCommit } from './repository.ts';

const MAX_FILES = 3000;
const MAX_LINES = 20_000;
const MAX_FILE_BYTES = 4 * 2 ** 20;
/** How many recent trees to keep for later file requests, across all worktrees. */
const KEPT = 8;

interface Moment extends CheckoutTree {
  worktreeId: string;
  from: string;
  quarantine: Quarantine;
}

/** Configuration of the repository or the operator must not run anything or change what is compared. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '--ignore-submodules=none'];

/**
 * Diffs worktrees against their base, committed or not. The files of a diff are requested one by one, so the tree it was made from is kept
 * for a while.
 */
export class Diffs {
  readonly #git: Git;
  readonly #scratch: string;
  #moments: Moment[] = [];

  constructor({ git, scratch }: { git: Git; scratch: string }) {
    this.#git = git;
    this.#scratch = scratch;
  }

  async summarize(worktree: Worktree): Promise<WorktreeDiff> {
    const moment = await this.#take(worktree);
    const { from, head, tree } = moment;
    const args = ['diff', '--raw', '--numstat', '--no-abbrev', '-z', ...PLAIN, from, tree];
    const files = parseRawDiff((await this.#git(args, { cwd: worktree.path, env: moment.quarantine.env })).text);
    const sum = (field: 'added' | 'removed') => files.reduce((total, file) => total + file[field], 0);
    return {
      from,
      head,
      tree,
      added: sum('added'),
      removed: sum('removed'),
      total: files.length,
      files: files.slice(0, MAX_FILES),
    };
  }

  async file(
    worktree: Worktree,
    { path, tree, context }: { path: string; tree?: string | undefined; context: number },
  ): Promise<WorktreeFileDiff> {
    const moment = this.#find(worktree, tree) ?? (await this.#take(worktree));
    const { env } = moment.quarantine;
    const cwd = worktree.path;
    // git needs the old name to show a renamed file as one
    const raw = await this.#git(['diff', '--raw', '--numstat', '-z', ...PLAIN, moment.from, moment.tree], { cwd, env });
    const file = parseRawDiff(raw.text).find((one) => one.path === path);
    if (!file)
      throw new WorktreeRefused('file_unchanged', `${path} isn't changed in ${worktree.name}, or no longer is.`);
    const names = [file.oldPath, path].filter((name) => name !== null).map((name) => `:(top,literal)${name}`);
    const args = ['diff', '-p', `-U${context}`, ...PLAIN, moment.from, moment.tree, '--', ...names];
    const patch = await this.#git(args, { cwd, env, maxBytes: MAX_FILE_BYTES });
    const diff = toFileDiff(path, file.isBinary ? [] : parseHunks(patch.text), MAX_LINES);
    return {
      ...diff,
      added: file.added,
      removed: file.removed,
      clipped: diff.clipped || patch.isCut,
      isBinary: file.isBinary,
      tree: moment.tree,
    };
  }

  /** For `git apply`. */
  async patch(worktree: Worktree): Promise<Buffer> {
    const { from, tree, quarantine } = await this.#take(worktree);
    const args = ['diff', '-p', '--binary', '--full-index', ...PLAIN, from, tree];
    const { bytes, isCut } = await this.#git(args, { cwd: worktree.path, env: quarantine.env });
    if (isCut)
      throw new WorktreeRefused(
        'patch_too_large',
        `The patch of ${worktree.name} is over 64 MB. Use git in ${worktree.path}.`,
      );
    return bytes;
  }

  async close(): Promise<void> {
    const all = this.#moments.splice(0);
    await Promise.all(all.map(({ quarantine }) => rm(quarantine.folder, { recursive: true, force: true })));
  }

  #find({ id }: Worktree, tree: string | undefined): Moment | undefined {
    return this.#moments.find((one) => one.worktreeId === id && one.tree === tree);
  }

  async #take(worktree: Worktree): Promise<Moment> {
    const cwd = worktree.path;
    const quarantine = await makeQuarantine(this.#git, cwd, this.#scratch);
    try {
      const now = await readCheckout(this.#git, { cwd, scratch: this.#scratch, env: quarantine.env });
      const from = await startOf(this.#git, worktree, now.head);
      const moment = { ...now, from, worktreeId: worktree.id, quarantine };
      const isSame = (one: Moment) => one.worktreeId === worktree.id && one.tree === moment.tree;
      const gone = [...this.#moments.filter(isSame)];
      this.#moments = [...this.#moments.filter((one) => !isSame(one)), moment];
      gone.push(...this.#moments.splice(0, Math.max(0, this.#moments.length - KEPT)));
      for (const one of gone) await rm(one.quarantine.folder, { recursive: true, force: true });
      return moment;
    } catch (error) {
      await rm(quarantine.folder, { recursive: true, force: true });
      throw error;
    }
  }
}

/** The commit to compare with: the stored base, or the latest merge base if the agent merged or rebased since. */
export async function startOf(git: Git, { path, base }: Worktree, head: string): Promise<string> {
  if (!base) throw new WorktreeRefused('no_base', `The base of ${path} is unknown.`);
  const tip = base.branch === null ? undefined : await findCommit(git, path, `refs/heads/${base.branch}`);
  if (tip === undefined) return base.commit;
  const met = await git(['merge-base', tip, head], { cwd: path, accept: [1] });
  if (met.code !== 0) return base.commit;
  const since = met.text.trim();
  const isLater = await git(['merge-base', '--is-ancestor', base.commit, since], { cwd: path, accept: [1] });
  return isLater.code === 0 ? since : base.commit;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The hunks of a single-file patch. */
export function parseHunks(patch: string) {
  const lines = patch.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const starts = lines.flatMap((line, index) => (HUNK.test(line) ? [index] : []));
  return starts.map((start, index) => {
    const [, oldStart, newStart] = HUNK.exec(lines[start]!)!;
    const body = lines.slice(start + 1, starts[index + 1]);
    // a file that became a link yields two patches, and the header of the second is not a change
    const end = body.findIndex((line) => line.startsWith('diff --git '));
    return { lines: numberLines(end < 0 ? body : body.slice(0, end), Number(oldStart), Number(newStart)) };
  });
}
