import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { loadAll, loadProgram } from './program.ts';

const program = await loadAll();

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

test('each command loads alone, under its own name, and is the one that all of them together have', async () => {
  for (const name of program.commands.map((command) => command.name())) {
    const alone = await loadProgram(name);
    const [found] = alone.commands.filter((command) => command.name() === name);
    expect(found?.helpInformation()).toBe(
      program.commands.find((command) => command.name() === name)?.helpInformation(),
    );
    if (name !== '__complete') expect(alone.commands.length).toBeLessThan(5);
  }
});

test.each([undefined, 'help', '--help', 'stauts'])('all commands are loaded for %s', async (word) => {
  expect((await loadProgram(word)).commands.map((command) => command.name())).toEqual(
    program.commands.map((command) => command.name()),
  );
});
