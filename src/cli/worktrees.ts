import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import * as routes from '../contract/routes/worktrees.ts';
import type { MergeStrategy, ProjectSetup } from '../contract/worktrees.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { canAsk, confirm } from './confirm.ts';
import { CliError, EXIT } from './exit.ts';
import { oneLine, paint, print, printJson } from './output.ts';
import { printTable } from './table.ts';
import { findWorktree } from './worktrees/find-worktree.ts';
import { HEAD, plural, showDetails, showMade, showRemoval, toRow, toSnapshotRow } from './worktrees/show-worktree.ts';

interface Options extends DataDirOption {
  json?: boolean;
}

export function addWorktrees(program: Command): void {
  const worktrees = program
    .command('worktrees')
    .description('worktrees that agents work in: see, merge, remove, restore')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl worktrees\n  gctl worktrees diff fix-login\n  gctl worktrees merge fix-login --squash\n  gctl worktrees remove fix-login',
    );
  addList(worktrees);
  addCreate(worktrees);
  addDiff(worktrees);
  addMerge(worktrees);
  addBranch(worktrees);
  addRemove(worktrees);
  addRestore(worktrees);
  addSetup(worktrees);
}

const common = (command: Command): Command => withJson(command).addOption(dataDirOption());

function addList(worktrees: Command): void {
  common(worktrees.command('list', { isDefault: true }))
    .description('list them')
    .option('--project <dir>', 'only this project')
    .option('--removed', 'also removed ones')
    .addHelpText('after', '\nExamples:\n  gctl worktrees list\n  gctl worktrees list --project . --removed')
    .action(async ({ dataDir, json, project, removed = false }: Options & { project?: string; removed?: boolean }) => {
      const query = { removed: removed ? 'true' : 'false', ...(project ? { project: resolve(project) } : {}) };
      const list = await (await connect(dataDir)).call(routes.listWorktrees, { query });
      if (json) return printJson(list);
      if (list.worktrees.length === 0) print('No worktrees. `gctl new NAME --worktree` starts a session in one.');
      await printTable(list.worktrees.map(toRow), { head: HEAD });
      if (list.others.length > 0) print(`\nCreated by other tools, not managed here:`);
      await printTable(list.others.map(({ path, branch }) => [`  ${path}`, branch ?? 'detached']));
    });

  common(worktrees.command('show <name>'))
    .description('show one: its state, and whether it can be merged and removed')
    .addHelpText('after', '\nExample:\n  gctl worktrees show fix-login')
    .action(async (name: string, { dataDir, json }: Options) => {
      const api = await connect(dataDir);
      const { id } = await findWorktree(api, name);
      const details = await api.call(routes.getWorktree, { params: { id } });
      if (json) return printJson(details);
      showDetails(details);
    });
}

function addCreate(worktrees: Command): void {
  common(worktrees.command('create <name> [base]'))
    .description('create one to work in by hand (`gctl new --worktree` creates one for a session)')
    .option('--project <dir>', 'a folder of the repository', process.cwd())
    .option('--no-setup', "don't run the project's setup commands")
    .addHelpText(
      'after',
      '\nExamples:\n  gctl worktrees create fix-login\n  gctl worktrees create hotfix origin/release',
    )
    .action(async (name: string, base: string | undefined, options: Options & { project: string; setup: boolean }) => {
      const api = await connect(options.dataDir);
      const project = resolve(options.project);
      if (options.setup && canAsk() && !options.json) await askForSetup(api, project);
      const setup = options.setup ? ('run' as const) : ('skip' as const);
      const body = { project, name, setup, ...(base === undefined ? {} : { base }) };
      const made = await api.call(routes.createWorktree, { body });
      if (options.json) printJson(made);
      else showMade(made);
      if (made.setup.status === 'failed') process.exitCode = EXIT.failed;
    });
}

function addDiff(worktrees: Command): void {
  common(worktrees.command('diff <name>'))
    .description('print what changed since its base, committed or not, as a patch')
    .option('--stat', 'only the files and how many lines changed')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl worktrees diff fix-login --stat\n  gctl worktrees diff fix-login | git apply',
    )
    .action(async (name: string, { dataDir, json, stat = false }: Options & { stat?: boolean }) => {
      const api = await connect(dataDir);
      const { id } = await findWorktree(api, name);
      if (!stat && !json) {
        for await (const chunk of await api.stream(routes.patchWorktree, { params: { id } }))
          process.stdout.write(chunk);
        return;
      }
      const diff = await api.call(routes.diffWorktree, { params: { id } });
      if (json) return printJson(diff);
      await printTable(
        diff.files.map(({ path, oldPath, change, added, removed, isBinary }) => [
          oldPath === null ? path : `${oldPath} → ${path}`,
          change,
          isBinary ? 'binary' : `${paint('green', `+${added}`)} ${paint('red', `-${removed}`)}`,
        ]),
      );
      print(`${plural(diff.total, 'file')} changed, +${diff.added} -${diff.removed}`);
    });
}

function addMerge(worktrees: Command): void {
  common(worktrees.command('merge <name>'))
    .description('merge its work, including uncommitted changes, into the branch it started from')
    .addOption(new Option('--squash', 'as one commit').conflicts(['merge', 'rebase']))
    .addOption(new Option('--merge', 'as a merge commit').conflicts(['squash', 'rebase']))
    .addOption(new Option('--rebase', 'its commits one by one').conflicts(['squash', 'merge']))
    .option('--into <branch>', 'another local branch')
    .option('-m, --message <text>', 'message of the commit')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl worktrees merge fix-login --squash -m "Fix the login"\n  gctl worktrees merge fix-login --rebase --into develop',
    )
    .action(async (name: string, options: Options & MergeOptions) => {
      const strategy = strategyOf(options);
      const api = await connect(options.dataDir);
      const { id } = await findWorktree(api, name);
      const { into, message } = options;
      const body = { strategy, ...(into ? { into } : {}), ...(message ? { message } : {}) };
      const { merged, ...worktree } = await api.call(routes.mergeWorktree, { params: { id }, body });
      if (options.json) return printJson({ ...worktree, merged });
      print(`Merged ${worktree.name} into ${merged?.into} (${merged?.strategy}, ${merged?.commit.slice(0, 12)}).`);
      print(`The worktree is still there. Remove it: gctl worktrees remove ${worktree.name}`);
    });
}

interface MergeOptions {
  squash?: boolean;
  merge?: boolean;
  rebase?: boolean;
  into?: string;
  message?: string;
}

function strategyOf({ squash, merge, rebase }: MergeOptions): MergeStrategy {
  if (squash) return 'squash';
  if (merge) return 'merge';
  if (rebase) return 'rebase';
  throw new CliError('Choose how: --squash, --merge or --rebase.', EXIT.usage);
}

function addBranch(worktrees: Command): void {
  common(worktrees.command('branch <name> <branch>'))
    .description('create a branch with everything in it; uncommitted changes become a commit on top')
    .option('-m, --message <text>', 'message of that commit')
    .addHelpText('after', '\nExample:\n  gctl worktrees branch fix-login feature/login')
    .action(async (name: string, branch: string, options: Options & { message?: string }) => {
      const api = await connect(options.dataDir);
      const { id } = await findWorktree(api, name);
      const body = { name: branch, ...(options.message ? { message: options.message } : {}) };
      const made = await api.call(routes.branchWorktree, { params: { id }, body });
      if (options.json) return printJson(made);
      print(
        `Created branch ${made.branch} at ${made.commit.slice(0, 12)}${made.uncommitted ? ', with the uncommitted changes' : ''}.`,
      );
    });
}

function addRemove(worktrees: Command): void {
  common(worktrees.command('remove <name>'))
    .alias('rm')
    .description('remove one whose work is merged or pushed; a snapshot is always kept')
    .option('-f, --force', 'even if it has work that exists nowhere else')
    .option('-y, --yes', "don't ask")
    .addHelpText(
      'after',
      '\nExamples:\n  gctl worktrees remove fix-login\n  gctl worktrees remove fix-login --force --yes',
    )
    .action(async (name: string, options: Options & { force?: boolean; yes?: boolean }) => {
      const api = await connect(options.dataDir);
      const { id } = await findWorktree(api, name);
      const force = options.force ?? false;
      if (force && !options.yes) {
        const { status, ...worktree } = await api.call(routes.getWorktree, { params: { id } });
        if (!canAsk()) throw new CliError('Without a terminal, --force needs --yes.', EXIT.usage);
        print(`Remove ${worktree.path}`);
        for (const reason of status?.removal.reasons ?? []) print(`  ${oneLine(reason)}`);
        if (status) showRemoval(status.removal);
        if (!(await confirm('A snapshot is kept. Remove it?'))) throw new CliError('Not removed.');
      }
      const removed = await api.call(routes.removeWorktree, { params: { id }, body: { force } });
      if (options.json) return printJson(removed);
      print(`Removed ${removed.worktree.path}`);
      print(`To get it back: gctl worktrees restore ${removed.snapshot.id.slice(0, 8)}`);
    });
}

function addRestore(worktrees: Command): void {
  common(worktrees.command('snapshots'))
    .description('list snapshots of removed worktrees')
    .addHelpText('after', '\nExample:\n  gctl worktrees snapshots')
    .action(async ({ dataDir, json }: Options) => {
      const list = await (await connect(dataDir)).call(routes.listSnapshots);
      if (json) return printJson(list);
      if (list.snapshots.length === 0) print('No snapshots.');
      await printTable(list.snapshots.map(toSnapshotRow));
    });

  common(worktrees.command('restore <snapshot>'))
    .description("restore a removed worktree, by its snapshot's id or its name")
    .option('--name <name>', 'under another name')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl worktrees restore 1f3a9c2e\n  gctl worktrees restore fix-login --name fix-login-2',
    )
    .action(async (wanted: string, options: Options & { name?: string }) => {
      const api = await connect(options.dataDir);
      const { snapshots } = await api.call(routes.listSnapshots);
      const found = snapshots.find(({ id, name }) => id.startsWith(wanted) || name === wanted);
      if (!found) throw new CliError(`No snapshot ${JSON.stringify(wanted)}. \`gctl worktrees snapshots\` lists them.`);
      const body = options.name ? { name: options.name } : {};
      const made = await api.call(routes.restoreSnapshot, { params: { id: found.id }, body });
      if (options.json) return printJson(made);
      print(`Restored ${made.path}${made.branch ? ` on ${made.branch}` : ''}`);
    });
}

function addSetup(worktrees: Command): void {
  common(worktrees.command('setup'))
    .description("show what the project's .groundcontrol/worktree.json sets up in new worktrees")
    .option('--project <dir>', 'a folder of the repository', process.cwd())
    .option('--allow', 'allow its commands, until the file changes')
    .addHelpText('after', '\nExamples:\n  gctl worktrees setup\n  gctl worktrees setup --allow')
    .action(async ({ dataDir, json, project, allow = false }: Options & { project: string; allow?: boolean }) => {
      const api = await connect(dataDir);
      const found = await api.call(routes.getProjectSetup, { query: { project: resolve(project) } });
      const { hash } = found;
      const setup =
        allow && hash && !found.isAllowed
          ? await api.call(routes.allowProjectSetup, { body: { project: found.project, hash } })
          : found;
      if (json) return printJson(setup);
      showSetup(setup);
    });
}

function showSetup({ file, project, copy, setup, teardown, ports, isAllowed }: ProjectSetup): void {
  if (file === null) {
    print(`${project} has no .groundcontrol/worktree.json. See docs/worktrees.md.`);
    return;
  }
  print(file);
  if (copy.length > 0) print(`  copies    ${copy.map(oneLine).join(', ')}`);
  for (const command of setup) print(`  setup     ${oneLine(command)}`);
  for (const command of teardown) print(`  teardown  ${oneLine(command)}`);
  print(`  ports     ${ports}`);
  const allowed = isAllowed ? 'allowed' : paint('yellow', 'not allowed yet: gctl worktrees setup --allow');
  if (setup.length + teardown.length > 0) print(`  commands  ${allowed}`);
}

/** In a terminal, asks right there. */
async function askForSetup(api: Awaited<ReturnType<typeof connect>>, project: string): Promise<void> {
  const setup = await api.call(routes.getProjectSetup, { query: { project } });
  if (setup.isAllowed || setup.hash === null) return;
  showSetup(setup);
  if (!(await confirm('Allow these commands, until the file changes?')))
    throw new CliError('Not created. To create it without them: --no-setup');
  await api.call(routes.allowProjectSetup, { body: { project: setup.project, hash: setup.hash } });
}
