import { type Command, Option } from 'commander';
import type { HooksStatus } from '../contract/hooks.ts';
import { EXIT } from './exit.ts';
import { paintDiff, say } from './hooks-consent.ts';
import { hooksControl, judgeHooks } from './hooks-control.ts';
import { print, printJson } from './output.ts';
import { claudeConfigDir, type DataDirOption, dataDirOption, withJson } from './places.ts';

interface HooksOptions extends DataDirOption {
  json?: boolean;
}

export function addHooks(program: Command): void {
  const hooks = program
    .command('hooks')
    .description("our entries in Claude's settings.json")
    .addHelpText('after', '\nExamples:\n  gctl hooks status\n  gctl hooks install\n  gctl hooks remove');
  const add = (name: 'install' | 'remove' | 'status', description: string) =>
    withJson(hooks.command(name))
      .description(description)
      .addOption(dataDirOption())
      .addHelpText('after', `\nExample:\n  gctl hooks ${name}`);

  add('install', 'register them, now and at each start').action(async (options: HooksOptions) => {
    const control = await hooksControl(options.dataDir);
    const { diff } = await control.preview();
    const status = await control.install();
    if (!options.json && diff) print(paintDiff(diff));
    show(status, options);
    if (!options.json && !control.isRunning) print('No daemon runs, so they do nothing yet. Start it: gctl up');
  });
  add('remove', 'remove them, now and for good')
    .option('--orphaned', 'only if the daemon that they call is dead; it registers them again when it starts')
    .addOption(new Option('--config-dir <dir>', "Claude's folder").default(claudeConfigDir()))
    .action(async (options: HooksOptions & { orphaned?: boolean; configDir: string }) => {
      if (options.orphaned) return removeOrphans(options.configDir);
      show(await (await hooksControl(options.dataDir)).remove(), options);
    });
  add('status', 'tell whether they are registered (exit 1 if not as they should be)').action(
    async (options: HooksOptions) => {
      const { verdict, status } = await judgeHooks(options.dataDir);
      show(status, options);
      if (verdict === 'wrong') process.exitCode = EXIT.failed;
    },
  );
}

/** What a session, or the daemon's keeper, runs when the daemon has died without taking its hooks along. */
async function removeOrphans(configDir: string): Promise<void> {
  const { removeOrphanedHooks } = await import('../daemon/hooks/orphaned-hooks.ts');
  const { changed } = await removeOrphanedHooks({ configDir });
  print(changed ? 'Removed hooks whose daemon is dead.' : 'Nothing to remove.');
}

function show(status: HooksStatus, { json }: HooksOptions): void {
  if (json) printJson(status);
  else say(status);
}
