import { type ComponentType, lazy } from 'react';
import { ApiError } from '../api/request.ts';

type Load<T> = () => Promise<T>;

/** How long to wait before a part is asked for again that did not come. */
const RETRY_MS = 1_000;

const later = new Set<Load<unknown>>();

/**
 * A page that is fetched when it is opened, or before that, when there is time. Without a daemon it fails with that; the browser's own
 * failure is for a file that is gone, since the router loads the whole app anew then.
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

/** A part of a page, likewise; but what stands in for it stays until the daemon answers. */
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

/** Fetches one of them ahead. False: none is left, or it cannot be had now. */
export async function loadNext(): Promise<boolean> {
  const [load] = later;
  if (!load) return false;
  // whoever opens it is told why
  const came = await load().then(
    () => true,
    () => false,
  );
  if (came) later.delete(load);
  return came;
}

/** Which build the daemon serves now: the files that a page begins with stand in it by names that only this build has. */
async function askBuild(): Promise<'this' | 'other' | 'none'> {
  const page = await fetch('/', { cache: 'no-store' }).catch(() => null);
  const text = page?.ok ? await page.text().catch(() => null) : null;
  if (text === null) return 'none';
  const own = [...document.querySelectorAll('script[type=module][src]')].map((script) => script.getAttribute('src'));
  return own.every((src) => text.includes(`src="${src}"`)) ? 'this' : 'other';
}
