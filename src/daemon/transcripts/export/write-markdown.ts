import type { FileDiff, Image, Message, MessagePart } from '../../../contract/messages.ts';
import { describeCall } from './describe-call.ts';
import { escapeHtml } from './escape-html.ts';
import { withoutControls } from './without-controls.ts';
import { type Conversation, formatTime, ROLE_NAMES, type Writer } from './writer.ts';

type ToolPart = Extract<MessagePart, { kind: 'tool' }>;

/** Without anything a terminal would act on. */
export const writeMarkdown: Writer = function* (...session) {
  for (const piece of write(...session)) yield withoutControls(piece);
};

const write: Writer = function* (head, conversation, others) {
  yield `# ${safeLine(head.title)}\n\n`;
  const facts = [
    `Session \`${head.sessionId}\``,
    head.project && inlineCode(head.project),
    `exported ${formatTime(head.exportedAt)} UTC`,
    head.isMasked ? 'secrets masked' : '**secrets shown**',
  ];
  yield `${facts.filter(Boolean).join(' · ')}\n\n`;
  yield* writeConversation(conversation);
  let hasOthers = false;
  for (const [id, other] of others) {
    if (!hasOthers) yield '## Other subagents\n\n';
    hasOthers = true;
    yield* writeAgent(id, other);
  }
};

function* writeAgent(id: string, conversation: Conversation): Generator<string> {
  yield open(`Subagent <code>${escapeHtml(id)}</code>`);
  yield* writeConversation(conversation);
  yield '</details>\n\n';
}

function* writeConversation(conversation: Conversation): Generator<string> {
  let speaker = '';
  for (const message of conversation.messages) {
    const name = message.isMeta ? 'Client' : ROLE_NAMES[message.role];
    if (name !== speaker && name !== 'Client') yield `${heading(name, message)}\n\n`;
    if (name !== 'Client') speaker = name;
    for (const part of message.parts) yield* writePart(part, conversation);
  }
}

function heading(name: string, { at, model }: Message): string {
  const details = [formatTime(at), model && escapeHtml(oneLine(model))].filter(Boolean).join(' · ');
  return details ? `## ${name} <sub>${details}</sub>` : `## ${name}`;
}

function* writePart(part: MessagePart, conversation: Conversation): Generator<string> {
  if (part.kind === 'text') yield `${safeMarkdown(part.text)}\n\n`;
  else if (part.kind === 'thinking') yield folded('Thinking', fenced(part.text, 'text'));
  else if (part.kind === 'image') yield describeImage(part.image);
  else if (part.kind === 'notice') yield writeNotice(part.notice, part.text);
  else yield* writeTool(part, conversation);
}

function writeNotice(notice: string, text: string): string {
  const name = escapeHtml(notice.replaceAll('_', ' '));
  if (text.length > 200 || text.includes('\n')) return folded(name, fenced(text, 'text'));
  return `> *${name}:* ${safeLine(text)}\n\n`;
}

function* writeTool(part: ToolPart, conversation: Conversation): Generator<string> {
  const { name, input, result, diff, agentId } = part;
  const state = result === null ? ' (no result)' : result.isError ? ' (failed)' : '';
  yield open(`<b>${escapeHtml(name)}</b> <code>${escapeHtml(describeCall(input))}</code>${state}`);
  if (diff && diff.hunks.length > 0) yield `${fenced(diffText(diff), 'diff')}\n\n`;
  else yield `${fenced(JSON.stringify(input, null, 2), 'json')}\n\n`;
  if (result?.text) yield `${fenced(result.text, 'text')}\n\n`;
  for (const image of result?.images ?? []) yield describeImage(image);
  const agent = agentId === null ? undefined : conversation.agent(agentId);
  if (agent) yield* writeAgent(agentId!, agent);
  yield '</details>\n\n';
}

function describeImage({ mediaType, bytes }: Image): string {
  return `*Image: ${escapeHtml(mediaType)}, ${bytes} bytes*\n\n`;
}

const open = (summary: string) => `<details><summary>${summary}</summary>\n\n`;
const folded = (summary: string, body: string) => `${open(summary)}${body}\n\n</details>\n\n`;

export function diffText({ path, hunks }: FileDiff): string {
  const signs = { same: ' ', added: '+', removed: '-' };
  const lines = hunks.flatMap((hunk) => ['@@', ...hunk.lines.map(({ kind, text }) => signs[kind] + text)]);
  return [oneLine(path), ...lines].join('\n');
}

/** A fence that nothing in the text can close. */
export function fenced(text: string, language: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function inlineCode(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``;
}

/** Markdown stays Markdown, but it can neither inject HTML, which would close what we opened, nor leave a fence open over everything that follows. */
export function safeMarkdown(text: string): string {
  let fence: string | undefined;
  let hasLoose = false;
  const lines = withoutControls(text)
    .split('\n')
    .map((line) => {
      const mark = fenceOf(line);
      if (fence !== undefined) {
        if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
        return line;
      }
      if (mark) {
        fence = mark;
        hasLoose = false;
        // indented further, it might belong to a list and end with it
        return line.trimStart();
      }
      // inline code doesn't span empty lines
      hasLoose = line.trim() !== '' && (hasLoose || hasLooseBackticks(line));
      return withoutHtml(line, { hasLoose });
    });
  if (fence !== undefined) lines.push(fence);
  return lines.join('\n');
}

/** The start of a code block: backticks followed by more of them don't count. */
function fenceOf(line: string): string | undefined {
  const [, mark, rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  return mark?.startsWith('`') && rest.includes('`') ? undefined : mark;
}

/** In one line, wherever it ends up. */
function safeLine(text: string): string {
  const line = oneLine(text);
  return withoutHtml(line, { hasLoose: hasLooseBackticks(line) });
}

/** Backticks that close nothing on their line, or are literal: nobody can tell what is code from there on. */
function hasLooseBackticks(line: string): boolean {
  if (line.includes('\\`')) return true;
  let opened: string | undefined;
  for (const [run] of line.matchAll(/`+/g)) {
    if (opened === undefined) opened = run;
    else if (opened === run) opened = undefined;
  }
  return opened !== undefined;
}

/** Text between backticks is shown as is; elsewhere, tags are shown literally, too. */
function withoutHtml(line: string, { hasLoose }: { hasLoose: boolean }): string {
  if (!line.includes('<') && !line.includes('![')) return line;
  if (hasLoose) return escapeTags(line);
  let opened: string | undefined;
  return line
    .split(/(`+)/)
    .map((piece, index) => {
      if (index % 2 === 0) return opened === undefined ? escapeTags(piece) : piece;
      if (opened === undefined) opened = piece;
      else if (opened === piece) opened = undefined;
      return piece;
    })
    .join('');
}

/** A remote image would tell its server that someone reads the export, so it becomes a link. */
function escapeTags(text: string): string {
  return text.replace(/<(?=[A-Za-z/!?])/g, '&lt;').replace(/!(?=\[)/g, '');
}
