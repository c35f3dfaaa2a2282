import type { FileDiff, Image, Message, MessagePart } from '../../../contract/messages.ts';
import { describeCall } from './describe-call.ts';
import { escapeHtml } from './escape-html.ts';
import { EXPORT_STYLE } from './export-style.ts';
import { markdownToHtml } from './markdown-to-html.ts';
import { type Conversation, formatTime, ROLE_NAMES, type Writer } from './writer.ts';

type ToolPart = Extract<MessagePart, { kind: 'tool' }>;

/** One file without scripts, which also forbids itself to load anything. */
export const writeHtml: Writer = function* (head, conversation, others) {
  const title = escapeHtml(head.title);
  const facts = [
    head.sessionId,
    head.project,
    `exported ${formatTime(head.exportedAt)} UTC`,
    head.isMasked ? 'secrets masked' : 'secrets shown',
  ];
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${EXPORT_STYLE}</style>
</head>
<body>
<header><h1>${title}</h1><p>${facts
    .filter(Boolean)
    .map((fact) => escapeHtml(fact!))
    .join(' · ')}</p></header>
<main>
`;
  yield* writeConversation(conversation);
  let hasOthers = false;
  for (const [id, other] of others) {
    if (!hasOthers) yield '<h2>Other subagents</h2>\n';
    hasOthers = true;
    yield* writeAgent(id, other);
  }
  yield '</main>\n</body>\n</html>\n';
};

function* writeAgent(id: string, conversation: Conversation): Generator<string> {
  yield `<details class="agent"><summary>Subagent <code>${escapeHtml(id)}</code></summary>\n`;
  yield* writeConversation(conversation);
  yield '</details>\n';
}

function* writeConversation(conversation: Conversation): Generator<string> {
  for (const message of conversation.messages) {
    yield `<article class="${message.isMeta ? 'meta' : message.role}" id="m-${message.id.replace(/[^\w-]/g, '')}">\n`;
    yield heading(message);
    for (const part of message.parts) yield* writePart(part, conversation);
    yield '</article>\n';
  }
}

function heading({ role, isMeta, at, model }: Message): string {
  const details = [formatTime(at), model].filter(Boolean).join(' · ');
  return `<h2>${isMeta ? ROLE_NAMES.system : ROLE_NAMES[role]} <small>${escapeHtml(details)}</small></h2>\n`;
}

function* writePart(part: MessagePart, conversation: Conversation): Generator<string> {
  if (part.kind === 'text') yield `<div class="text">${markdownToHtml(part.text)}</div>\n`;
  else if (part.kind === 'thinking') yield folded('Thinking', pre(part.text));
  else if (part.kind === 'image') yield writeImage(part.image, conversation);
  else if (part.kind === 'notice') yield writeNotice(part.notice, part.text);
  else yield* writeTool(part, conversation);
}

function writeNotice(notice: string, text: string): string {
  const name = escapeHtml(notice.replaceAll('_', ' '));
  if (text.length > 400 || text.includes('\n')) return folded(name, pre(text));
  return `<p class="notice"><b>${name}</b> ${escapeHtml(text)}</p>\n`;
}

function* writeTool(part: ToolPart, conversation: Conversation): Generator<string> {
  const { name, input, result, diff, agentId } = part;
  const state = result === null ? ' <i>no result</i>' : result.isError ? ' <i class="failed">failed</i>' : '';
  yield `<details class="tool"><summary><b>${escapeHtml(name)}</b> <code>${escapeHtml(describeCall(input))}</code>${state}</summary>\n`;
  yield diff && diff.hunks.length > 0 ? writeDiff(diff) : pre(JSON.stringify(input, null, 2));
  if (result?.text) yield pre(result.text);
  for (const image of result?.images ?? []) yield writeImage(image, conversation);
  const agent = agentId === null ? undefined : conversation.agent(agentId);
  if (agent) yield* writeAgent(agentId!, agent);
  yield '</details>\n';
}

function writeDiff({ path, hunks, added, removed }: FileDiff): string {
  const signs = { same: ' ', added: '+', removed: '-' };
  const lines = hunks.flatMap((hunk) =>
    hunk.lines.map(({ kind, text }) => `<span class="${kind}">${signs[kind]}${escapeHtml(text)}\n</span>`),
  );
  return `<p class="file">${escapeHtml(path)} <small>+${added} −${removed}</small></p><pre class="diff">${lines.join('')}</pre>\n`;
}

function writeImage({ imageId, mediaType, bytes }: Image, { image }: Conversation): string {
  const data = image(imageId);
  if (!data) return `<p class="notice">Image: ${escapeHtml(mediaType)}, ${bytes} bytes</p>\n`;
  return `<img alt="" src="data:${data.mediaType};base64,${Buffer.from(data.bytes).toString('base64')}">\n`;
}

const pre = (text: string) => `<pre>${escapeHtml(text)}</pre>\n`;
const folded = (summary: string, body: string) => `<details><summary>${summary}</summary>${body}</details>\n`;
