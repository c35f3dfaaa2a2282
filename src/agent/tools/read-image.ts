import { failed, type ToolOutput } from './tool.ts';

/** What the API takes. Larger ones would make every later request fail, because images stay in the conversation. */
const LARGEST_BYTES = 5 * 1024 * 1024;
/** With more than 20 images in a conversation the API takes no larger ones. */
const LARGEST_SIDE = 2000;

type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

const EXTENSIONS = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp']);

/** undefined: not an image. The content decides about the type, not the name. */
export function readImage(content: Buffer, extension: string): ToolOutput | undefined {
  const type = mediaType(content);
  if (!type)
    return EXTENSIONS.has(extension) ? failed('The file is not a valid PNG, JPEG, GIF or WebP image.') : undefined;
  if (content.length > LARGEST_BYTES)
    return failed(
      `The image has ${content.length} bytes; at most ${LARGEST_BYTES} can be read. Make it smaller first.`,
    );
  const size = dimensions(content, type);
  if (size && Math.max(...size) > LARGEST_SIDE)
    return failed(
      `The image is ${size[0]}×${size[1]} pixels; at most ${LARGEST_SIDE} per side can be read. Make it smaller first.`,
    );
  return {
    content: [{ type: 'image', source: { type: 'base64', media_type: type, data: content.toString('base64') } }],
  };
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
  return undefined;
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
