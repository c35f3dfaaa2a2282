import { type Command, Option } from 'commander';
import { getStats } from '../contract/routes/history.ts';
import { STATS_BY, type StatsBy, type StatsRow } from '../contract/stats.ts';
import { connect } from './api.ts';
import { awaitIndex } from './await-index.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { alignFigures, showCost, showCount, showDuration, showShare, showTokens } from './format.ts';
import { paint, print, printJson } from './output.ts';
import { printTable } from './table.ts';

interface StatsOptions extends DataDirOption {
  by: StatsBy;
  after?: string;
  before?: string;
  project?: string;
  model?: string;
  wait: boolean;
  json?: boolean;
}

const FIRST: Record<StatsBy, string> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  project: 'Project',
  model: 'Model',
  branch: 'Branch',
  tool: 'Tool',
};

export function addStats(program: Command): void {
  withJson(program.command('stats'))
    .description('show tokens, cost and more for every session on this machine')
    .addOption(new Option('--by <what>', 'group by').choices(STATS_BY).default('day'))
    .option('--after <day>', 'first day, for example 2026-11-01')
    .option('--before <day>', 'last day')
    .option('--project <name>', 'only this project, by name or folder')
    .option('--model <name>', 'only this model, or models whose name contains this')
    .option('--no-wait', "don't wait for indexing to finish")
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl stats\n  gctl stats --by model --after 2026-11-01\n  gctl stats --by month --project app --json',
    )
    .action(showStats);
}

async function showStats({ dataDir, wait, json, ...options }: StatsOptions): Promise<void> {
  const api = await connect(dataDir);
  // tokens and costs are ready long before prompts, tools and projects
  const needsAll = json === true || options.project !== undefined || ['project', 'tool'].includes(options.by);
  if (wait) await awaitIndex(api, needsAll ? 'everything' : 'totals');
  const { by, after, before, project, model } = options;
  const stats = await api.call(getStats, { query: { by, after, before, project, model } });
  if (json) return printJson(stats);
  if (stats.rows.length === 0) {
    print(describeNothing(options));
    return;
  }
  const columns = columnsOf(options.by, stats.total);
  const head = [FIRST[options.by], ...columns.map(([name]) => name)];
  const cells = ({ label, ...row }: StatsRow) => [label, ...columns.map(([, show]) => show({ label, ...row }))];
  await printTable(alignFigures([head, ...stats.rows.map(cells), cells(stats.total)]));
  if (options.by !== 'tool') explainUnpriced(stats.total);
  if (!stats.complete) print(paint('dim', needsAll || !wait ? MORE_TO_COME : ONLY_TOTALS));
}

const MORE_TO_COME = 'Still indexing: these numbers will grow.';
const ONLY_TOTALS = 'Tokens and costs are complete. Prompts and tools are still being counted.';

function describeNothing({ after, before, project, model }: Omit<StatsOptions, 'dataDir' | 'wait' | 'json'>): string {
  const of = [project && `project ${project}`, model && `model ${model}`].filter(Boolean).join(' and ');
  const when = after || before ? ' in this period' : ' yet';
  if (of === '') return `No activity${when}.`;
  return `No activity for ${of}${when}. To see what there is: gctl stats --by ${project ? 'project' : 'model'}`;
}

function explainUnpriced({ cost }: StatsRow): void {
  const howTo = 'Settings > Prices in the browser (gctl link)';
  if (cost === null) print(paint('dim', `No price is known for these models. Set one: ${howTo}`));
  else if (cost.unpricedModels.length > 0) {
    const models = cost.unpricedModels.join(', ');
    print(paint('dim', `+ Not counting ${models}: no price known. Set one: ${howTo}`));
  }
}

type Column = [name: string, show: (row: StatsRow) => string];

const WAITED: Column = ['Waited', ({ approvalWaitMs }) => showDuration(approvalWaitMs?.median)];

/** Compaction, web search and other requests that no message reports. Included in the cost. */
const OTHER: Column = ['Other', ({ other }) => (other ? showCost(other.cost) : '–')];

function columnsOf(by: StatsBy, { other }: StatsRow): Column[] {
  if (by === 'tool') return TOOL_COLUMNS;
  return other ? [...COLUMNS.slice(0, -1), OTHER, ...COLUMNS.slice(-1)] : COLUMNS;
}

const COLUMNS: Column[] = [
  ['Sessions', ({ sessions }) => showCount(sessions)],
  ['Prompts', ({ prompts }) => showCount(prompts)],
  ['Input', ({ tokens }) => showCount(tokens.inputTokens)],
  ['Output', ({ tokens }) => showCount(tokens.outputTokens)],
  ['Tokens', ({ tokens }) => showTokens(tokens)],
  ['Cached', ({ cacheHitRate }) => showShare(cacheHitRate)],
  ['Tools', ({ toolCalls }) => showCount(toolCalls)],
  ['Asked', ({ approvals }) => showCount(approvals)],
  WAITED,
  ['Cost', ({ cost }) => showCost(cost)],
];

const TOOL_COLUMNS: Column[] = [
  ['Calls', ({ toolCalls }) => showCount(toolCalls)],
  ['Sessions', ({ sessions }) => showCount(sessions)],
  ['Asked', ({ approvals }) => showCount(approvals)],
  WAITED,
];
