import { type Command, InvalidArgumentError } from 'commander';
import { type SearchHit, SearchPage } from '../contract/search.ts';
import { type Api, connect } from './api.ts';
import { awaitIndex } from './await-index.ts';
import { moreHint, showTime } from './figures.ts';
import { paint, print, printJson } from './output.ts';
import { type DataDirOption, dataDirOption, withJson } from './places.ts';

const MAX_LIMIT = 100;

interface SearchOptions extends DataDirOption {
  limit: number;
  wait: boolean;
  json?: boolean;
}

const WORDS: Record<SearchHit['kind'], string> = {
  prompt: 'you asked',
  answer: 'answer',
  thinking: 'thought',
  tool_input: 'given to',
  tool_output: 'from',
};

export function addSearch(program: Command): void {
  withJson(program.command('search'))
    .description('find what was said and done in any session')
    .argument('<query...>', 'words, "phrases", -without, and filters')
    .option('--limit <n>', 'how many at most', parseLimit, 10)
    .option('--no-wait', 'do not wait until every transcript has been read')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
Filters:
  project:app  branch:main  model:opus  tool:Bash  file:src/main.ts  is:running
  kind:prompt (answer, thinking, tool_input, tool_output)
  after:2026-11-01  after:yesterday  before:7d

Examples:
  gctl search flaky test
  gctl search '"connection refused" tool:Bash after:7d'
  gctl search 'deploy* project:site kind:prompt' --json

What begins with a minus goes behind two: gctl search -- flaky -known`,
    )
    .action(showHits);
}

async function showHits(words: string[], { dataDir, limit, wait, json }: SearchOptions): Promise<void> {
  const api = await connect(dataDir);
  if (wait) await awaitIndex(api);
  const query = new URLSearchParams({ q: words.join(' '), limit: String(limit) });
  const page = await api.get(`/api/search?${query}`, SearchPage);
  if (json) return printJson(page);
  for (const hit of page.hits) showHit(api, hit);
  const first = page.hits[0];
  if (!first) print('Nothing is found. Use fewer words, or a part of one: deploy*');
  else print(paint('dim', `Read one: gctl show ${first.sessionId.slice(0, 8)}`));
  if (page.nextOffset !== null) print(paint('dim', `There are more. ${moreHint(limit, MAX_LIMIT)}`));
  if (!page.complete) print(paint('dim', 'Transcripts are still being read: there may be more.'));
}

function showHit(api: Api, hit: SearchHit): void {
  const { sessionId, agentId, messageId, kind, toolName, at, snippet, title, projectDisplayName, gitBranch } = hit;
  const place = gitBranch ? `${projectDisplayName} (${gitBranch})` : projectDisplayName;
  // what a subagent is asked was written by an agent
  const who = kind === 'prompt' && agentId !== null ? 'asked of a subagent' : WORDS[kind];
  const what = toolName ? `${who} ${toolName}` : who;
  const when = at === null ? '' : showTime(at);
  print(`${paint('bold', sessionId.slice(0, 8))}  ${when}  ${place}  ${title.slice(0, 60)}`);
  const text = snippet.map((part) => (part.match ? paint(['bold', 'yellow'], part.text) : part.text)).join('');
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
  throw new InvalidArgumentError(`A number from 1 to ${MAX_LIMIT}.`);
}
