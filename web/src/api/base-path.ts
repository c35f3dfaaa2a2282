import { BASE_META } from '../../../src/contract/proof.ts';

/** The path that a proxy serves the app below, like `/gc`; usually nothing. */
export const BASE_PATH: string = findBasePath();

/** Several daemons may share an origin below different paths, and none may use the storage, locks or channels of another. */
export const ownName = (name: string): string => (BASE_PATH === '' ? name : `${name} ${BASE_PATH}`);

function findBasePath(): string {
  if (typeof document !== 'undefined')
    return document.querySelector<HTMLMetaElement>(`meta[name="${BASE_META}"]`)?.content ?? '';
  // the service worker is in the app's own folder
  return typeof location === 'undefined' ? '' : location.pathname.replace(/\/[^/]*$/, '');
}
