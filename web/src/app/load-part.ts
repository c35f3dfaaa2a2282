import { type ComponentType, lazy } from 'react';
import { BASE_PATH } from '../api/base-path.ts';
import { ApiError } from '../api/request.ts';

type Load<T> = () => Promise<T>;

/** How long to wait before retrying a part that failed to load. */
const RETRY_MS = 1_000;

const later = new Set<Load<unknown>>();

/**
 * A page that loads when it is opened, or earlier when idle. If the daemon is down, it fails with that error. The browser's own error would
 * mean a missing file, and the router then reloads the whole app.
 */
export function loadPage<T>(load: Load<T>): Load<T> {
  later.add(load);
  return async () => {
    try {
      return await load();
    } catch (cause) {
      const build = await askBuild();
      if (build === 'other') throw cause;
      if (build === 'this') return load();
      throw new ApiError({ code: 'unreachable', message: "Can't reach Ground Control. Is it running?", status: 0 });
    }
  };
}

/** The same for a part of a page, except that its placeholder stays until the daemon answers. */
// biome-ignore lint/suspicious/noExplicitAny: as React has it, so that the component keeps the type of its properties
export function lazyPart<C extends ComponentType<any>>(load: Load<{ default: C }>) {
  later.add(load);
  const untilThere = async (): Promise<{ default: C }> => {
    try {
      return await load();
    } catch {
      const build = await askBuild();
      if (build === 'this') return load();
      if (build === 'other') location.reload();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return untilThere();
    }
  };
  return lazy(untilThere);
}

/** Prefetches one of them. Returns false if none is left or it can't be loaded now. */
export async function loadNext(): Promise<boolean> {
  const [load] = later;
  if (!load) return false;
  // Opening the page reports the error.
  const came = await load().then(
    () => true,
    () => false,
  );
  if (came) later.delete(load);
  return came;
}

/** Identifies the build the daemon serves: the page's entry files have hashed names. */
async function askBuild(): Promise<'this' | 'other' | 'none'> {
  const page = await fetch(`${BASE_PATH}/`, { cache: 'no-store' }).catch(() => null);
  const text = page?.ok ? await page.text().catch(() => null) : null;
  if (text === null) return 'none';
  const own = [...document.querySelectorAll('script[type=module][src]')].map((script) => script.getAttribute('src'));
  return own.every((src) => text.includes(`src="${src}"`)) ? 'this' : 'other';
}
