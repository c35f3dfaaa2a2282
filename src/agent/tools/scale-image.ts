import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { MediaType } from './read-image.ts';

export interface ScaleRequest {
  type: MediaType;
  width: number;
  height: number;
  /** Longest side of the result. */
  side: number;
  /** Most bytes of the result. */
  bytes: number;
}

export interface ScaledImage {
  type: 'image/png' | 'image/jpeg';
  content: Buffer;
  width: number;
  height: number;
}

const GIVE_UP_MS = 60_000;

/**
 * Decoding can take seconds, and a broken file can crash the decoder. A thread isolates the session from both. It ends after one image,
 * which also frees its memory.
 */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { PhotonImage, resize, SamplingFilter } = require(workerData.library);
const { content, type, width, height, side, bytes } = workerData;
let image = PhotonImage.new_from_byteslice(content);
const scaleTo = (longest) => {
  const factor = Math.min(1, longest / Math.max(width, height));
  const [w, h] = [width, height].map((length) => Math.max(1, Math.round(length * factor)));
  return resize(image, w, h, SamplingFilter.Triangle);
};
// a picture with text stays sharp as PNG; a photo would be too large
for (let longest = side; ; longest = Math.floor(longest * 0.75)) {
  const scaled = scaleTo(longest);
  const tries = type === 'image/jpeg' ? [] : [['image/png', () => scaled.get_bytes()]];
  tries.push(['image/jpeg', () => scaled.get_bytes_jpeg(85)]);
  for (const [made, encode] of tries) {
    const result = encode();
    if (result.length > bytes && longest > 200) continue;
    parentPort.postMessage({ type: made, content: result, width: scaled.get_width(), height: scaled.get_height() });
    return;
  }
}
`;

export function scaleImage(content: Buffer, request: ScaleRequest): Promise<ScaledImage> {
  const library = createRequire(import.meta.url).resolve('@silvia-odwyer/photon-node');
  return new Promise((resolve, reject) => {
    const worker = new Worker(`(() => {${SCRIPT}})()`, { eval: true, workerData: { ...request, content, library } });
    const timer = setTimeout(() => {
      reject(new Error(`It took longer than ${GIVE_UP_MS / 1000} s.`));
      void worker.terminate();
    }, GIVE_UP_MS);
    worker.once('message', (made: Omit<ScaledImage, 'content'> & { content: Uint8Array }) => {
      resolve({ ...made, content: Buffer.from(made.content) });
      void worker.terminate();
    });
    worker.once('error', (error) => reject(new Error(error instanceof Error ? error.message : String(error))));
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('The decoder ended without a result.'));
    });
  });
}
