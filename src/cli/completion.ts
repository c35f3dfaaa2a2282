import { Argument, type Command } from 'commander';
import { type Completion, complete } from './complete.ts';
import { COMPLETION_SCRIPTS, SHELLS, type Shell } from './completion-scripts.ts';
import { oneLine, printLines, readable } from './output.ts';

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      `
Completes commands, options, and the ids of sessions, requests, rules and devices.

Examples:
  gctl completion bash >> ~/.bashrc
  gctl completion zsh > "\${fpath[1]}/_gctl"
  gctl completion fish > ~/.config/fish/completions/gctl.fish`,
    )
    .action((shell: Shell) => printLines(COMPLETION_SCRIPTS[shell].trimEnd()));

  // called by the scripts: the words typed so far, the last of which is to be completed
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const found = await complete(program, words);
      process.stdout.write(found === 'files' ? ':files\n' : found.map(toLine).join(''));
    });
}

/** Descriptions are agents' text: a tab or line break in one would create another completion. */
function toLine({ value, description }: Completion): string {
  return description ? `${value}\t${oneLine(readable(description)).slice(0, 80)}\n` : `${value}\n`;
}
