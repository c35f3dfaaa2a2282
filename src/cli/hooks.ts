import { type Command, Option } from 'commander';
import { HooksPreview, HooksStatus } from '../contract/hooks.ts';
import { findDaemon } from './api.ts';
import { EXIT } from './exit.ts';
import { paintDiff, say } from './hooks-consent.ts';
import { print, printJson } from './output.ts';
import { ownProgram } from './own-files.ts';
import { claudeConfigDir, type DataDirOption, dataDirOption, defaultPort, withJson } from './places.ts';

interface HooksOptions extends DataDirOption {
  json?: boolean;
}

/** The daemon's own hands when it runs, else ours: hooks must be removable when nothing runs. */
interface Hooks {
  status(): Promise<HooksStatus>;
  preview(): Promise<HooksPreview>;
  install(): Promise<HooksStatus>;
  remove(): Promise<HooksStatus>;
}

export function addHooks(program: Command): void {
  const hooks = program.command('hooks').description("our entries in Claude's settings.json");
  const add = (name: 'install' | 'remove' | 'status', description: string) =>
    withJson(hooks.command(name))
      .description(description)
      .addOption(dataDirOption())
      .addHelpText('after', `\nExample:\n  gctl hooks ${name}`);

  add('install', 'register them, now and at each start').action(async (options: HooksOptions) => {
    const control = await hooksControl(options);
    const { diff } = await control.preview();
    const status = await control.install();
    if (!options.json && diff) print(paintDiff(diff));
    show(status, options);
  });
  add('remove', 'remove them, now and for good')
    .option('--orphaned', 'only if the daemon that they call is dead; it registers them again when it starts')
    .addOption(new Option('--config-dir <dir>', "Claude's folder").default(claudeConfigDir()))
    .action(async (options: HooksOptions & { orphaned?: boolean; configDir: string }) => {
      if (options.orphaned) return removeOrphans(options.configDir);
      show(await (await hooksControl(options)).remove(), options);
    });
  add('status', 'tell whether they are registered (exit 1 if not as they should be)').action(
    async (options: HooksOptions) => {
      const status = await (await hooksControl(options)).status();
      show(status, options);
      if (status.consent === 'yes' && status.state !== 'installed') process.exitCode = EXIT.failed;
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

export async function hooksControl({ dataDir }: HooksOptions): Promise<Hooks> {
  const api = await findDaemon(dataDir);
  if (api) {
    return {
      status: () => api.get('/api/hooks', HooksStatus),
      preview: () => api.get('/api/hooks/preview', HooksPreview),
      install: () => api.post('/api/hooks/install', HooksStatus),
      remove: () => api.post('/api/hooks/remove', HooksStatus),
    };
  }
  const [{ DataDir }, { createHooksControl }] = await Promise.all([
    import('../daemon/data-dir.ts'),
    import('../daemon/hooks/control.ts'),
  ]);
  const dir = new DataDir(dataDir);
  return createHooksControl({
    dataDir: dir,
    configDir: claudeConfigDir(),
    port: defaultPort,
    token: dir.credentials().hookToken,
    program: ownProgram,
  });
}
