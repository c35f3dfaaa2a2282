import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { program } from './program.ts';

interface Helped {
  path: string;
  help: string;
}

/** Every command with its help text. */
function* visit(command: Command, path = 'gctl'): Generator<Helped> {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  yield { path, help };
  for (const one of command.createHelp().visibleCommands(command))
    if (one.name() !== 'help') yield* visit(one, `${path} ${one.name()}`);
}

test('every command has a description and examples', () => {
  const all = [...visit(program)];
  expect(all.map(({ path }) => path)).toEqual(expect.arrayContaining(['gctl', 'gctl up', 'gctl hooks install']));
  for (const { path, help } of all) expect(help).toMatch(new RegExp(`^Usage: ${path}\\b`));
  const lacking = all.filter(({ help }) => !/\nExamples?:\n {2}(curl.*)?gctl/.test(help));
  expect(lacking.map(({ path }) => path)).toEqual([]);
});
