import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../client/client.ts';
import type { Message, MessagePage, MessagesQuery } from '../contract/messages.ts';
import { listMessages } from '../contract/routes/messages.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { describeMessage, type Shown } from './describe-message.ts';
import { findSessionId } from './find-transcript.ts';
import { print, printJson, printJsonLine } from './output.ts';

const FOLLOW_MS = 500;
const PAGE = 500;

interface ShowOptions extends DataDirOption {
  last: number;
  agent?: string;
  follow?: boolean;
  json?: boolean;
}

export function addShow(program: Command): void {
  withJson(program.command('show <id>'))
    .description("read a session's transcript (ID prefixes accepted)")
    .option('--last <n>', 'show this many messages, 0 for all', parseCount, 50)
    .option('--agent <id>', "read this subagent's conversation")
    .option('--follow', 'follow new messages')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl show 3f2a\n  gctl show 3f2a --last 0 | less\n  gctl show 3f2a --follow\n  gctl show 3f2a --agent a00e279c',
    )
    .action(async (prefix: string, { dataDir, last, agent, follow, json }: ShowOptions) => {
      const api = await connect(dataDir);
      const id = await findSessionId(api, prefix);
      const read = readerOf(api, id, agent);
      const show = json ? (follow ? printJsonLine : undefined) : printer();
      const { messages, end } = last === 0 ? await readAll(read, show) : await readLast(read, last);
      if (last > 0) messages.forEach((message) => void show?.(message));
      if (json && !follow) return printJson({ sessionId: id, agentId: agent ?? null, messages });
      if (!json && messages.length === 0 && !follow) print('No messages.');
      if (follow) await followNew(read, end, show!);
    });
}

type Read = (query: Partial<MessagesQuery>) => Promise<MessagePage>;
type Show = (message: Message) => void;

function readerOf(api: Client, id: string, agentId: string | undefined): Read {
  return (query) => api.call(listMessages, { params: { id }, query: { ...query, agentId } });
}

async function readLast(read: Read, count: number): Promise<{ messages: Message[]; end: string }> {
  let page = await read({ limit: Math.min(count, PAGE) });
  const { end } = page;
  const messages = [...page.messages];
  while (messages.length < count && page.hasEarlier) {
    page = await read({ limit: Math.min(count - messages.length, PAGE), before: page.start });
    messages.unshift(...page.messages);
  }
  return { messages: messages.slice(-count), end };
}

/** Printed while it is read, since a long session takes a while. */
async function readAll(read: Read, show: Show | undefined): Promise<{ messages: Message[]; end: string }> {
  const byId = new Map<string, Message>();
  for (let page = await read({ from: 'start', limit: PAGE }); ; page = await read({ after: page.end, limit: PAGE })) {
    for (const message of page.messages) {
      byId.set(message.id, message);
      show?.(message);
    }
    if (!page.hasLater) return { messages: [...byId.values()], end: page.end };
  }
}

async function followNew(read: Read, from: string, show: Show): Promise<never> {
  for (let end = from; ; ) {
    const page = await read({ after: end, limit: PAGE });
    page.messages.forEach((message) => void show(message));
    end = page.end;
    if (!page.hasLater) await sleep(FOLLOW_MS);
  }
}

function printer(): Show {
  const shown: Shown = new Set();
  return (message) => {
    for (const line of describeMessage(message, shown)) print(line);
  };
}

function parseCount(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`${JSON.stringify(text)} isn't a number of messages.`);
}
