import { type Command, Option } from 'commander';
import type { ReviewDecision, ReviewGroup } from '../contract/reviews.ts';
import * as routes from '../contract/routes/reviews.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError } from './exit.ts';
import { ago, print, printJson } from './output.ts';
import { printTable } from './table.ts';

export function addReviews(program: Command): void {
  const reviews = program
    .command('reviews')
    .description('review calls that no rule matched')
    .addHelpText('after', '\nExamples:\n  gctl reviews\n  gctl reviews decide 1 --as approve');

  withJson(reviews.command('list', { isDefault: true }))
    .description('list them, similar calls grouped')
    .addHelpText('after', '\nExamples:\n  gctl reviews list\n  gctl reviews list --json')
    .addOption(dataDirOption())
    .action(async ({ dataDir, json }: DataDirOption & { json?: boolean }) => {
      const list = await (await connect(dataDir)).call(routes.listReviews);
      if (json) return printJson(list);
      if (list.groups.length === 0) print('Nothing to review.');
      await printTable(list.groups.map(toRow));
    });

  withJson(reviews.command('decide <number>'))
    .description('decide on one line of the list')
    .addOption(
      new Option('--as <what>', 'approve: looks good; deny: block it with a rule; dismiss: no opinion')
        .choices(['approve', 'deny', 'dismiss'])
        .makeOptionMandatory(),
    )
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl reviews\n  gctl reviews decide 1 --as approve')
    .action(async (number: string, options: DataDirOption & { as: ReviewDecision['action']; json?: boolean }) => {
      const api = await connect(options.dataDir);
      const { groups } = await api.call(routes.listReviews);
      const group = groups[Number(number) - 1];
      if (!group) throw new CliError(`There is no line ${number}. gctl reviews lists ${groups.length}.`);
      const { toolName, shape } = group;
      const outcome = await api.call(routes.decideReviews, { body: { toolName, shape, action: options.as } });
      if (options.json) return printJson(outcome);
      print(
        `Reviewed ${outcome.decided} ${outcome.decided === 1 ? 'call' : 'calls'}${outcome.rule ? ` and created rule ${outcome.rule.id.slice(0, 8)}` : ''}.`,
      );
    });
}

function toRow({ toolName, shape, count, sessions, lastAt }: ReviewGroup, index: number): string[] {
  const times = count === 1 ? 'once' : `${count} times`;
  return [
    `${index + 1}.`,
    toolName,
    shape,
    times,
    sessions === 1 ? '1 session' : `${sessions} sessions`,
    `${ago(lastAt)} ago`,
  ];
}
