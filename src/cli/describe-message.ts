import { describingField } from '../contract/describing-field.ts';
import type { FileDiff, Message, MessagePart } from '../contract/messages.ts';
import { oneLine, paint, readable } from './output.ts';

type ToolPart = Extract<MessagePart, { kind: 'tool' }>;

/** Notices the client writes for itself and its model. */
const ASIDE = new Set(['attachment', 'system', 'queue', 'summary']);
const MAX_DIFF_LINES = 40;

/** The parts already shown: if a message comes again, only its new parts are. */
export type Shown = Set<string>;

/** A message as lines for a terminal: text indented below a heading, a tool call on one line, an edit as a diff. */
export function describeMessage(message: Message, shown: Shown = new Set()): string[] {
  const lines = message.parts.flatMap((part, index) => {
    const key = `${message.id} ${index} ${part.kind === 'tool' && part.result !== null}`;
    if (shown.has(key)) return [];
    shown.add(key);
    return describePart(part, message);
  });
  const isNew = !shown.has(message.id);
  if (lines.length === 0 || message.isMeta || !isNew) return lines;
  shown.add(message.id);
  return message.parts.some(({ kind }) => kind !== 'notice') ? ['', heading(message), ...lines] : lines;
}

function heading({ role, at, model }: Message): string {
  const details = [at === null ? '' : formatTime(at), model && oneLine(model)].filter(Boolean).join(' · ');
  const name = role === 'user' ? paint(['bold', 'blue'], 'You') : paint(['bold', 'magenta'], 'Claude');
  return details ? `${name} ${paint('dim', details)}` : name;
}

function formatTime(at: number): string {
  return new Date(at).toLocaleString('sv-SE').slice(0, 16);
}

function describePart(part: MessagePart, { isMeta }: Message): string[] {
  if (part.kind === 'text') return [...indented(part.text), ...more(part.clipped)];
  if (part.kind === 'thinking') return [paint('dim', `  (thinking: ${firstLine(part.text)})`)];
  if (part.kind === 'image') return [paint('dim', `  [${oneLine(part.image.mediaType)}, ${part.image.bytes} bytes]`)];
  if (part.kind === 'tool') return describeTool(part);
  if (isMeta && ASIDE.has(part.notice)) return [];
  const color = part.notice === 'api_error' || part.notice === 'interrupted' ? 'yellow' : 'dim';
  return [paint(color, `  ${oneLine(part.notice.replaceAll('_', ' '))}: ${firstLine(part.text)}`)];
}

function describeTool({ name, input, result, diff, agentId }: ToolPart): string[] {
  const mark = result === null ? paint('dim', '…') : result.isError ? paint('red', '✗') : paint('green', '✓');
  const agent = agentId === null ? '' : paint('dim', `  --agent ${oneLine(agentId)}`);
  const change = diff ? paint('dim', `  +${diff.added} -${diff.removed}`) : '';
  const line = `  ${mark} ${paint('bold', oneLine(readable(name)))} ${firstLine(telling(input))}${change}${agent}`;
  const failure = result?.isError ? [paint('red', `    ${firstLine(result.text)}`)] : [];
  return [line.trimEnd(), ...failure, ...(diff && result !== null ? describeDiff(diff) : [])];
}

function describeDiff({ hunks }: FileDiff): string[] {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const shown = lines.slice(0, MAX_DIFF_LINES).map(({ kind, text: raw }) => {
    const text = readable(raw);
    if (kind === 'same') return paint('dim', `      ${text}`);
    return kind === 'added' ? paint('green', `    + ${text}`) : paint('red', `    - ${text}`);
  });
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, paint('dim', `      … ${left} more lines`)] : shown;
}

function telling(input: Record<string, unknown>): string {
  const field = describingField(input);
  if (field) return field.value;
  return Object.keys(input).length > 0 ? JSON.stringify(input) : '';
}

/** Headings start at the margin, so an agent's text may not. */
function indented(text: string): string[] {
  return readable(text.trimEnd())
    .split('\n')
    .map((line) => `  ${line}`.trimEnd());
}

function firstLine(text: string): string {
  const [line = '', ...rest] = readable(text).trim().split('\n', 2);
  return line.length > 100 || rest.length > 0 ? `${line.slice(0, 100).toWellFormed()}…` : line;
}

function more(clipped: boolean): string[] {
  return clipped ? [paint('dim', '  … truncated; gctl export has the full text')] : [];
}
