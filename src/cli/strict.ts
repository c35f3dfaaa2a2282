import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { StrictProject } from '../contract/projects.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { EXIT } from './exit.ts';
import { paint, print, printJson } from './output.ts';
import { strictControl } from './strict-control.ts';

interface StrictOptions extends DataDirOption {
  json?: boolean;
}

const COLORS = { on: 'green', off: 'dim', broken: 'red' } as const;

export function addStrict(program: Command): void {
  const strict = program
    .command('strict')
    .description("manage projects where no tool runs while Ground Control isn't running")
    .addHelpText('after', '\nExamples:\n  gctl strict on\n  gctl strict off ~/work/app\n  gctl strict list');

  const addSwitch = (name: 'on' | 'off', description: string) =>
    withJson(strict.command(`${name} [dir]`))
      .description(description)
      .addOption(dataDirOption())
      .addHelpText('after', `\nExamples:\n  gctl strict ${name}\n  gctl strict ${name} ~/work/app`)
      .action(async (dir: string | undefined, { dataDir, json }: StrictOptions) => {
        const control = await strictControl(dataDir);
        const project = await control.set({ path: resolve(dir ?? '.'), strict: name === 'on' });
        if (json) return printJson(project);
        show(project);
        if (name === 'on' && !control.isRunning)
          print("The daemon isn't running, so no tool runs there now. Start it: gctl up");
      });
  addSwitch('on', "block every tool in a project while the daemon doesn't answer (default: current folder)");
  addSwitch('off', 'let tools run without the daemon again; works even if the daemon is down');

  withJson(strict.command('list', { isDefault: true }))
    .description('list strict projects (exit 1 if one is misconfigured)')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl strict list')
    .action(async ({ dataDir, json }: StrictOptions) => {
      const { projects } = await (await strictControl(dataDir)).list();
      if (json) printJson({ projects });
      else if (projects.length === 0) print('No strict projects.');
      else for (const project of projects) show(project);
      if (projects.some(({ state }) => state === 'broken')) process.exitCode = EXIT.failed;
    });
}

function show({ state, detail, fix }: StrictProject): void {
  print(`${paint(COLORS[state], state.padEnd(6))}  ${detail}`);
  if (fix) print(`        ${paint('dim', `→ ${fix}`)}`);
}
