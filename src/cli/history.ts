import { type Command, InvalidArgumentError, Option } from 'commander';
import type { HistorySession } from '../contract/history.ts';
import { listHistory } from '../contract/routes/history.ts';
import { connect } from './api.ts';
import { awaitIndex } from './await-index.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { moreHint, showCost, showTime, showTokens } from './format.ts';
import { paint, print, printJson, readable } from './output.ts';
import { printTable } from './table.ts';

const MAX_LIMIT = 200;

interface HistoryOptions extends DataDirOption {
  sort: 'recent' | 'cost' | 'tokens';
  limit: number;
  wait: boolean;
  json?: boolean;
}

export function addHistory(program: Command): void {
  withJson(program.command('history'))
    .description('list every session on this machine, running or ended')
    .argument('[query...]', 'words and filters, as in gctl search')
    .addOption(new Option('--sort <by>', 'sort order').choices(['recent', 'cost', 'tokens']).default('recent'))
    .option('--limit <n>', 'show at most this many', parseLimit, 30)
    .option('--no-wait', "don't wait for indexing to finish")
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl history\n  gctl history project:app after:7d --sort cost\n  gctl history --json | jq ".sessions[].id"',
    )
    .action(showHistory);
}

async function showHistory(words: string[], { dataDir, sort, limit, wait, json }: HistoryOptions): Promise<void> {
  const api = await connect(dataDir);
  if (wait) await awaitIndex(api);
  const page = await api.call(listHistory, { query: { q: words.join(' '), sort, limit } });
  if (json) return printJson(page);
  if (page.sessions.length === 0) {
    print(words.length > 0 ? 'No matching sessions.' : 'No sessions on this machine yet.');
    return;
  }
  await printTable(page.sessions.map(toRow), {
    head: ['ID', 'Last activity', '', '     Cost', ' Tokens', 'Project', 'Title'],
  });
  if (page.nextOffset !== null)
    print(paint('dim', `${page.total - page.nextOffset} more. ${moreHint(limit, MAX_LIMIT)}`));
}

function toRow({ id, lastActivityAt, cost, tokens, projectDisplayName, gitBranch, title, isLive }: HistorySession) {
  const place = gitBranch ? `${projectDisplayName} (${gitBranch})` : projectDisplayName;
  return [
    id.slice(0, 8),
    showTime(lastActivityAt),
    isLive ? 'running' : '',
    showCost(cost).padStart(9),
    showTokens(tokens).padStart(7),
    place,
    readable(title),
  ];
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new InvalidArgumentError(`Use a number from 1 to ${MAX_LIMIT}.`);
}
