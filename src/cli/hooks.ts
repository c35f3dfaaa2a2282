import { type Command, Option } from 'commander';
import type { HooksStatus } from '../contract/hooks.ts';
import { claudeConfigDir, type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { EXIT } from './exit.ts';
import { paintDiff, say } from './hooks-consent.ts';
import { hooksControl, judgeHooks } from './hooks-control.ts';
import { print, printJson, printLines } from './output.ts';

interface HooksOptions extends DataDirOption {
  json?: boolean;
}

export function addHooks(program: Command): void {
  const hooks = program
    .command('hooks')
    .description("manage Ground Control's hooks in Claude's settings.json")
    .addHelpText('after', '\nExamples:\n  gctl hooks status\n  gctl hooks install\n  gctl hooks remove');
  const add = (name: 'install' | 'remove' | 'status', description: string) =>
    withJson(hooks.command(name))
      .description(description)
      .addOption(dataDirOption())
      .addHelpText('after', `\nExample:\n  gctl hooks ${name}`);

  add('install', 'install the hooks, now and at every start').action(async (options: HooksOptions) => {
    const control = await hooksControl(options.dataDir);
    const { diff } = await control.preview();
    const status = await control.install();
    if (!options.json && diff) printLines(paintDiff(diff));
    show(status, options);
    if (!options.json && !control.isRunning)
      print("They do nothing yet, because the daemon isn't running. Start it: gctl up");
  });
  add('remove', 'remove the hooks for good')
    .option('--orphaned', 'only if their daemon is dead; it adds them again when it starts')
    .addOption(new Option('--config-dir <dir>', "Claude Code's folder").default(claudeConfigDir()))
    .addOption(new Option('--stand-in [socket]').hideHelp())
    .action(async (options: HooksOptions & OrphanOptions & { orphaned?: boolean }) => {
      if (options.orphaned) return removeOrphans(options);
      show(await (await hooksControl(options.dataDir)).remove(), options);
    });
  add('status', "show whether the hooks are installed (exit 1 if they aren't, or don't work)").action(
    async (options: HooksOptions) => {
      const { verdict, status } = await judgeHooks(options.dataDir);
      show(status, options);
      if (verdict === 'wrong' || status.state !== 'installed') process.exitCode = EXIT.failed;
    },
  );
}

interface OrphanOptions {
  configDir: string;
  /** Answers in the daemon's place until sessions notice that it is gone: on an inherited socket, or on its port. */
  standIn?: string | true;
}

/** Run by a session, or by the daemon's keeper, when the daemon died without removing its hooks. */
async function removeOrphans({ configDir, standIn: socket }: OrphanOptions): Promise<void> {
  const [{ removeOrphanedHooks, findOrphanedPort }, { standIn }] = await Promise.all([
    import('../daemon/drivers/terminal/keeper/orphaned-hooks.ts'),
    import('../daemon/drivers/terminal/keeper/stand-in.ts'),
  ]);
  if (socket === undefined) {
    const { changed } = await removeOrphanedHooks({ configDir });
    return print(changed ? 'Removed hooks whose daemon is dead.' : 'Nothing to remove.');
  }
  const port = socket === true ? await findOrphanedPort(configDir) : undefined;
  const where = socket === true ? port !== undefined && { port } : { fd: Number(socket) };
  const placed = where ? await standIn(where) : undefined;
  // the one line a session waits for; after it the pipe may be closed
  print('ready');
  await removeOrphanedHooks({ configDir, standIn: placed });
  await placed?.leaveSoon();
}

function show(status: HooksStatus, { json }: HooksOptions): void {
  if (json) printJson(status);
  else say(status);
}
