import { z } from 'zod';
import type { DataDir } from '../data-dir.ts';

export const VapidKeys = z.object({ publicKey: z.string(), privateKey: z.string() });
export type VapidKeys = z.infer<typeof VapidKeys>;

const FILE = 'push-keys.json';

/** Created on first use and kept: every subscription is bound to them. */
export function vapidKeys(dataDir: DataDir): () => Promise<VapidKeys> {
  let keys: Promise<VapidKeys> | undefined;
  return () => {
    keys ??= load(dataDir);
    return keys;
  };
}

async function load(dataDir: DataDir): Promise<VapidKeys> {
  const known = dataDir.readOwn(FILE, VapidKeys);
  if (known) return known;
  const { default: webPush } = await import('web-push');
  const keys = VapidKeys.parse(webPush.generateVAPIDKeys());
  dataDir.writeOwn(FILE, keys);
  return keys;
}
