import { recordOf, textOf } from '../../../contract/values.ts';
import { blocksOf, countOf, type Line, recordsOf } from '../lines/line.ts';
import type { BilledUsage } from '../prices/prices.ts';
import type { FoundImage, FoundPart, FoundResult } from './entry.ts';
import { readUserText } from './user-notices.ts';

interface Place {
  start: number;
  at: number | null;
}

interface Content {
  parts: FoundPart[];
  results: FoundResult[];
}

export function readUserContent(fields: Line, place: Place): Content {
  const images = imageCounter(place.start);
  const content: Content = { parts: [], results: [] };
  for (const block of blocksOf(fields)) {
    if (block.type === 'text') content.parts.push(...readUserText(textOf(block.text), fields));
    else if (block.type === 'image') content.parts.push(...imagePart(images(block)));
    else if (block.type === 'document') content.parts.push(documentNotice(block));
    else if (isResult(block)) content.results.push(readResult(block, fields.toolUseResult, place, images));
  }
  return content;
}

export function readAssistantContent(fields: Line, place: Place): Content {
  const images = imageCounter(place.start);
  const content: Content = { parts: [], results: [] };
  for (const block of blocksOf(fields)) {
    const text = textOf(block.text);
    if (block.type === 'text' && fields.isApiErrorMessage === true)
      content.parts.push({ kind: 'notice', notice: 'api_error', text });
    else if (block.type === 'text' && text.trim() !== '') content.parts.push({ kind: 'text', text });
    else if (block.type === 'thinking' && textOf(block.thinking).trim() !== '')
      content.parts.push({ kind: 'thinking', text: textOf(block.thinking) });
    else if (block.type === 'redacted_thinking')
      content.parts.push({ kind: 'thinking', text: '(hidden by the model)' });
    else if (block.type === 'image') content.parts.push(...imagePart(images(block)));
    // server-side tools have other names, with their results in the same message
    else if (textOf(block.type).endsWith('tool_use') && textOf(block.id) !== '')
      content.parts.push({
        kind: 'tool',
        toolUseId: textOf(block.id),
        name: textOf(block.name) || 'unknown',
        input: recordOf(block.input),
      });
    else if (isResult(block)) content.results.push(readResult(block, undefined, place, images));
  }
  return content;
}

export function readUsage(usage: unknown): BilledUsage | null {
  const fields = recordOf(usage);
  if (Object.keys(fields).length === 0) return null;
  return {
    inputTokens: countOf(fields.input_tokens),
    outputTokens: countOf(fields.output_tokens),
    cacheReadTokens: countOf(fields.cache_read_input_tokens),
    cacheCreationTokens: countOf(fields.cache_creation_input_tokens),
    cacheCreation1hTokens: countOf(recordOf(fields.cache_creation).ephemeral_1h_input_tokens),
    fast: fields.speed === 'fast',
    batch: fields.service_tier === 'batch',
    usOnly: fields.inference_geo === 'us',
    webSearches: countOf(recordOf(fields.server_tool_use).web_search_requests),
  };
}

/** Every image in a line's content, in counting order. */
export function* imageBlocks(fields: Line): Generator<Line> {
  for (const block of blocksOf(fields)) {
    if (block.type === 'image') yield block;
    if (!isResult(block)) continue;
    for (const inner of recordsOf(block.content)) if (inner.type === 'image') yield inner;
  }
}

function isResult(block: Line): boolean {
  return textOf(block.type).endsWith('tool_result') && textOf(block.tool_use_id) !== '';
}

type ImageReader = (block: Line) => FoundImage | undefined;

function imageCounter(line: number): ImageReader {
  let count = 0;
  return (block) => {
    const index = count++;
    const source = recordOf(block.source);
    if (source.type !== 'base64') return undefined;
    const bytes = Math.floor((textOf(source.data).length * 3) / 4);
    return { index, line, mediaType: textOf(source.media_type).slice(0, 100), bytes };
  };
}

function imagePart(image: FoundImage | undefined): FoundPart[] {
  return image ? [{ kind: 'image', image }] : [];
}

function documentNotice(block: Line): FoundPart {
  const title = textOf(block.title) || textOf(recordOf(block.source).media_type) || 'without a name';
  return { kind: 'notice', notice: 'attachment', text: `Document: ${title}` };
}

function readResult(block: Line, detail: unknown, { at }: Place, images: ImageReader): FoundResult {
  const found: FoundImage[] = [];
  for (const inner of recordsOf(block.content))
    if (inner.type === 'image') found.push(...[images(inner)].filter((image) => image !== undefined));
  return {
    toolUseId: textOf(block.tool_use_id),
    text: resultText(block),
    isError: block.is_error === true,
    images: found,
    at,
    detail,
  };
}

/** A tool's output, as text. */
export function resultText({ content }: Line): string {
  if (typeof content === 'string') return withoutErrorTag(content);
  const texts = recordsOf(content).map(({ text, title, url, tool_name }) => {
    if (textOf(text) !== '') return textOf(text);
    return textOf(title) === '' ? textOf(tool_name) : [title, url].filter(Boolean).join(' ');
  });
  return withoutErrorTag(texts.filter(Boolean).join('\n'));
}

function withoutErrorTag(text: string): string {
  const [open, close] = ['<tool_use_error>', '</tool_use_error>'];
  return text.startsWith(open) && text.endsWith(close) ? text.slice(open.length, -close.length) : text;
}
