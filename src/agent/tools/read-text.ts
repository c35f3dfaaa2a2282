import { readFile } from 'node:fs/promises';

const LARGEST = 50 * 1024 * 1024;

export class NotText extends Error {}

/** Throws if the content isn't UTF-8: decoding leniently and writing it back would destroy bytes. */
export function decodeText(content: Buffer, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new NotText(`${path} is not UTF-8 text. Use Bash to convert or change it.`);
  }
}

/** undefined: the file doesn't exist. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    const content = await readFile(path);
    if (content.length > LARGEST) throw new NotText(`${path} is larger than ${LARGEST / 1024 / 1024} MB. Use Bash.`);
    return content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
