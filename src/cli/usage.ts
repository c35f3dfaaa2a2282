import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DATA_FILES, NATIVE_FOLDERS } from '../contract/data-files.ts';
import type { UsageQuery, UsageReport } from '../daemon/transcripts/usage/read-usage-report.ts';
import { claudeConfigDirs, type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError } from './exit.ts';
import { alignFigures, showCost, showCount } from './format.ts';
import { complain, paint, print, printJson } from './output.ts';
import { builtWorker } from './own-files.ts';
import { printTable } from './table.ts';

type UsageBy = UsageQuery['by'];

interface UsageOptions extends DataDirOption {
  by: UsageBy;
  since?: string;
  until?: string;
  project?: string;
  timezone?: string;
  weekStart: UsageQuery['weekStart'];
  configDir?: string[];
  models: boolean;
  json?: boolean;
}

const BY = ['day', 'week', 'month', 'session', 'project', 'model'] as const satisfies readonly UsageBy[];
const WEEK_STARTS = ['monday', 'sunday', 'saturday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;
const FIRST: Record<UsageBy, string> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  session: 'Session',
  project: 'Project',
  model: 'Model',
};

export function addUsage(program: Command): void {
  withJson(program.command('usage'))
    .description('tokens and cost of every transcript, read from the files; no daemon needed')
    .addOption(new Option('--by <what>', 'what to group rows by').choices(BY).default('day'))
    .option('--since <day>', 'first day: 2026-11-01 or 20261101', toDay)
    .option('--until <day>', 'last day', toDay)
    .option('--project <name>', 'only this project: its name or folder')
    .option('--timezone <zone>', "time zone, such as Europe/Berlin (default: this machine's)")
    .addOption(new Option('--week-start <day>', 'first day of a week').choices(WEEK_STARTS).default('monday'))
    .option(
      '--config-dir <dir>',
      "a Claude Code folder, repeatable (default: CLAUDE_CONFIG_DIR's and that of gctl run)",
      collect,
    )
    .option('--no-models', 'leave out the row for each model')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl usage\n  gctl usage --by month --timezone UTC\n  gctl usage --by project --since 2026-11-01 --json\n  gctl usage --config-dir ~/.claude --config-dir ~/work/.claude',
    )
    .action(showUsage);
}

async function showUsage(options: UsageOptions): Promise<void> {
  const { configDir, dataDir, models, json, timezone, ...query } = options;
  // loaded on demand: every other command starts without it
  const { readUsageReport } = await import('../daemon/transcripts/usage/read-usage-report.ts');
  const configDirs = configDir ?? [...claudeConfigDirs(), join(dataDir, NATIVE_FOLDERS.root)];
  const { report, files, unreadable, priceProblem } = await readUsageReport({
    configDirs,
    pricesPath: join(dataDir, DATA_FILES.prices),
    worker: builtWorker,
    query: { ...query, timeZone: timezone },
  });
  if (priceProblem) complain(priceProblem);
  for (const { path, reason } of unreadable) complain(`${path} can't be read (${reason}), so it is missing here.`);
  if (json) return printJson(report);
  if (files === 0) throw new CliError(`No transcripts in ${configDirs.join(', ')}. Name the folder: --config-dir`);
  if (report.rows.length === 0) return print('No usage in this period.');
  await printTable(alignFigures(toTable(report, { models })));
  const unpriced = report.total.cost?.unpricedModels ?? [];
  if (unpriced.length > 0) print(paint('dim', `+ plus ${unpriced.join(', ')}, which have no price.`));
}

function toTable({ by, rows, total }: UsageReport, { models }: { models: boolean }): string[][] {
  const head = [FIRST[by], 'Input', 'Output', 'Cache write', 'Cache read', 'Total', 'Cost'];
  const withModels = models && by !== 'model';
  return [
    head,
    ...rows.flatMap((row) => [
      cells(row.label, row),
      ...(withModels ? row.models.map((model) => cells(`  ${model.model}`, model)) : []),
    ]),
    cells('Total', total),
  ];
}

function cells(label: string, { tokens, cost }: Pick<UsageReport['total'], 'tokens' | 'cost'>): string[] {
  const { inputTokens, outputTokens, cacheCreationTokens, cacheReadTokens } = tokens;
  const all = inputTokens + outputTokens + cacheCreationTokens + cacheReadTokens;
  return [
    label,
    ...[inputTokens, outputTokens, cacheCreationTokens, cacheReadTokens, all].map(showCount),
    showCost(cost),
  ];
}

function toDay(text: string): string {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text) ?? [];
  if (year === undefined) throw new InvalidArgumentError('Enter a day as 2026-11-16.');
  return `${year}-${month}-${day}`;
}

function collect(dir: string, before: string[] = []): string[] {
  return [...before, resolve(dir)];
}
