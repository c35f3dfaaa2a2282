import { recordOf, textOf } from '../../../contract/values.ts';
import { skipPadding } from '../lines/padding.ts';
import type { ByteSource } from './byte-source.ts';
import { UnknownImage } from './errors.ts';
import { isLineStart, linesForward } from './lines.ts';
import { imageBlocks } from './read-content.ts';

/** What a browser draws without running anything. SVG isn't among them. */
const DRAWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Which transcript, which line, which image in it. */
export interface ImageId {
  line: number;
  index: number;
  agentId: string | undefined;
}

export function writeImageId({ line, index, agentId }: ImageId): string {
  return [line, index, ...(agentId === undefined ? [] : [agentId])].join('.');
}

export function readImageId(text: string): ImageId {
  const found = /^(\d{1,15})\.(\d{1,6})(?:\.([\w-]{1,100}))?$/.exec(text);
  if (!found) throw new UnknownImage(text);
  return { line: Number(found[1]), index: Number(found[2]), agentId: found[3] };
}

export interface ImageData {
  mediaType: string;
  bytes: Uint8Array;
}

export function readImage(source: ByteSource, { line, index, agentId }: ImageId): ImageData {
  const image = findBlock(source, line, index);
  const { media_type, data } = recordOf(image?.source);
  const mediaType = textOf(media_type).toLowerCase();
  if (!DRAWN.has(mediaType)) throw new UnknownImage(writeImageId({ line, index, agentId }));
  return { mediaType, bytes: new Uint8Array(Buffer.from(textOf(data), 'base64')) };
}

function findBlock(source: ByteSource, position: number, index: number): Record<string, unknown> | undefined {
  if (position >= source.size || !isLineStart(source, position)) return undefined;
  const [line] = linesForward(source, position);
  if (!line?.bytes) return undefined;
  let fields: Record<string, unknown>;
  try {
    fields = recordOf(JSON.parse(line.bytes.toString('utf8', skipPadding(line.bytes, 0, line.bytes.length))));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  return [...imageBlocks(fields)][index];
}
