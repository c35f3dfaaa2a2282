import { ownName } from '../api/base-path.ts';

/* When the daemon was last reached. Kept in cache storage, which pages and the service worker share. */
const CACHE = ownName('groundcontrol-reached');
const KEY = '/reached';

export async function noteReached(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.put(KEY, new Response(String(Date.now())));
}

export async function lastReached(): Promise<number | undefined> {
  const known = await (await caches.open(CACHE)).match(KEY);
  return known ? Number(await known.text()) : undefined;
}
