import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../client/client.ts';
import { search } from '../contract/routes/history.ts';
import type { QueryPart, SearchHit } from '../contract/search.ts';
import { connect } from './api.ts';
import { awaitIndex } from './await-index.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { moreHint, showTime } from './format.ts';
import { oneLine, paint, print, printJson, readable } from './output.ts';

const MAX_LIMIT = 100;

interface SearchOptions extends DataDirOption {
  limit: number;
  wait: boolean;
  json?: boolean;
}

const WORDS: Record<SearchHit['kind'], string> = {
  prompt: 'prompt',
  answer: 'response',
  thinking: 'thinking',
  tool_input: 'input',
  tool_output: 'output',
  command: 'command',
  summary: 'summary',
  attachment: 'attachment',
  notice: 'notice',
};

export function addSearch(program: Command): void {
  withJson(program.command('search'))
    .description('search all sessions')
    .argument('<query...>', 'words, "phrases", -without, and filters')
    .option('--limit <n>', 'show at most this many', parseLimit, 10)
    .option('--no-wait', "don't wait for indexing to finish")
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
Filters:
  project:app  branch:main  model:opus  tool:Bash  file:src/main.ts  is:running
  kind:prompt (answer, thinking, tool_input, tool_output, command, summary, attachment, notice)
  after:2026-11-01  after:yesterday  before:7d

Examples:
  gctl search flaky test
  gctl search '"connection refused" tool:Bash after:7d'
  gctl search 'deploy* project:site kind:prompt' --json

Words match longer words too: webhook finds webhooks. Quote a word to match it exactly.
If the query contains a minus, put -- before it: gctl search -- flaky -known`,
    )
    .action(showHits);
}

async function showHits(words: string[], { dataDir, limit, wait, json }: SearchOptions): Promise<void> {
  const api = await connect(dataDir);
  if (wait) await awaitIndex(api);
  const page = await api.call(search, { query: { q: words.join(' '), limit } });
  if (json) return printJson(page);
  for (const hit of page.hits) showHit(api, hit);
  const first = page.hits[0];
  if (!first) print('No results. Try fewer words, or only the start of one.');
  else print(paint('dim', `To read one: gctl show ${first.sessionId.slice(0, 8)}`));
  print(paint('dim', `Searched for ${page.read.map(describePart).join(', ')}.`));
  if (page.nextOffset !== null)
    print(paint('dim', `${page.total}${page.isTotalCapped ? '+' : ''} matches. ${moreHint(limit, MAX_LIMIT)}`));
  if (!page.complete) print(paint('dim', 'Still indexing: there may be more.'));
}

function describePart({ kind, text, isPrefix }: QueryPart): string {
  if (kind === 'without') return `without ${text}`;
  return isPrefix ? `${text}…` : text;
}

function showHit(api: Client, hit: SearchHit): void {
  const { sessionId, agentId, messageId, kind, toolName, at, snippet, title, projectDisplayName, gitBranch } = hit;
  const place = gitBranch ? `${projectDisplayName} (${gitBranch})` : projectDisplayName;
  // a subagent's prompt was written by an agent
  const word = kind === 'prompt' && agentId !== null ? 'prompt to a subagent' : WORDS[kind];
  const what = toolName ? `${oneLine(readable(toolName))} ${word}` : word;
  const when = at === null ? '' : showTime(at);
  print(`${paint('bold', sessionId.slice(0, 8))}  ${when}  ${oneLine(readable(place))}  ${oneLine(readable(title))}`);
  const text = snippet
    .map((part) => ({ match: part.match, text: oneLine(readable(part.text)) }))
    .map(({ match, text: words }) => (match ? paint(['bold', 'yellow'], words) : words))
    .join('');
  print(`  ${paint('dim', `${what}:`)} ${text}`);
  const agent = agentId ? `&agent=${encodeURIComponent(agentId)}` : '';
  print(
    `  ${paint('dim', `${api.url}/sessions/${encodeURIComponent(sessionId)}?message=${encodeURIComponent(messageId)}${agent}`)}`,
  );
  print();
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new InvalidArgumentError(`Use a number from 1 to ${MAX_LIMIT}.`);
}
