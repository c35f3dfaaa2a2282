import { scaleImage } from './scale-image.ts';
import { failed, type ToolOutput } from './tool.ts';

/** The API's limits. A larger image would make every later request fail, because images stay in the conversation. */
const LARGEST_BYTES = 5 * 1024 * 1024;
/** The API's limit for conversations with more than 20 images. */
const LARGEST_SIDE = 2000;
/** A decoded pixel takes four bytes, and a small file can claim to be huge. */
const MOST_PIXELS = 64_000_000;
const LARGEST_FILE = 64 * 1024 * 1024;

export type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

const EXTENSIONS = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp']);

/** undefined: not an image. The type comes from the content, not the file name. Large images are scaled down. */
export async function readImage(content: Buffer, extension: string): Promise<ToolOutput | undefined> {
  const type = mediaType(content);
  const size = type && dimensions(content, type);
  if (!type || !size)
    return type || EXTENSIONS.has(extension)
      ? failed('The file is not a valid PNG, JPEG, GIF or WebP image.')
      : undefined;
  const [width, height] = size;
  if (width <= LARGEST_SIDE && height <= LARGEST_SIDE && content.length <= LARGEST_BYTES) return shown(type, content);
  if (width * height > MOST_PIXELS || content.length > LARGEST_FILE)
    return failed(
      `The image has ${width}×${height} pixels and ${content.length} bytes, which is too large to scale down here. Make it smaller first.`,
    );
  try {
    const scaled = await scaleImage(content, { type, width, height, side: LARGEST_SIDE, bytes: LARGEST_BYTES });
    const note = `Scaled down from ${width}×${height} to ${scaled.width}×${scaled.height} pixels.`;
    return { content: [{ type: 'text', text: note }, imageBlock(scaled.type, scaled.content)] };
  } catch (error) {
    return failed(`The image could not be scaled down: ${(error as Error).message}`);
  }
}

function shown(type: MediaType, content: Buffer): ToolOutput {
  return { content: [imageBlock(type, content)] };
}

function imageBlock(type: MediaType, content: Buffer) {
  const source = { type: 'base64' as const, media_type: type, data: content.toString('base64') };
  return { type: 'image' as const, source };
}

function mediaType(content: Buffer): MediaType | undefined {
  if (content.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png';
  if (content[0] === 0xff && content[1] === 0xd8 && content[2] === 0xff) return 'image/jpeg';
  if (/^GIF8[79]a/.test(content.toString('latin1', 0, 6))) return 'image/gif';
  if (content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

function dimensions(content: Buffer, type: MediaType): [number, number] | undefined {
  if (type === 'image/png' && content.length >= 24) return [content.readUInt32BE(16), content.readUInt32BE(20)];
  if (type === 'image/gif' && content.length >= 10) return [content.readUInt16LE(6), content.readUInt16LE(8)];
  if (type === 'image/jpeg') return jpegSize(content);
  return type === 'image/webp' && content.length >= 30 ? webpSize(content) : undefined;
}

/** Three formats in one container: lossy, lossless, and extended. */
function webpSize(content: Buffer): [number, number] | undefined {
  const kind = content.toString('latin1', 12, 16);
  if (kind === 'VP8X') return [content.readUIntLE(24, 3) + 1, content.readUIntLE(27, 3) + 1];
  if (kind === 'VP8 ') return [content.readUInt16LE(26) & 0x3fff, content.readUInt16LE(28) & 0x3fff];
  if (kind !== 'VP8L') return undefined;
  const bits = content.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
}

/** The size is in the first "start of frame" segment. */
function jpegSize(content: Buffer): [number, number] | undefined {
  for (let at = 2; at + 9 < content.length; ) {
    if (content[at] !== 0xff) return undefined;
    const marker = content[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [content.readUInt16BE(at + 7), content.readUInt16BE(at + 5)];
    at += 2 + content.readUInt16BE(at + 2);
  }
  return undefined;
}
