import type { RequestListener } from 'node:http';
import { type BehindProxy, behindProxy } from '../http/behind-proxy.ts';
import { remoteRoutes } from '../http/remote.ts';
import { Remote } from '../remote/remote.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';

export type RemotePart = ReturnType<typeof remotePart>;

/** How other machines reach the page. */
export function remotePart(base: Base, { core, handle }: Pick<CorePart, 'core'> & { handle: () => RequestListener }) {
  const remote: Remote = new Remote({ ...base, record: core.record, handle: () => behind.wrap(handle()) });
  const behind: BehindProxy = behindProxy({
    urls: () => remote.urls,
    isTrusted: (address) => remote.isTrusted(address),
  });
  return {
    remote,
    publicUrls: () => remote.urls,
    behind,
    routes: [remoteRoutes({ remote })],
    start: () => remote.start(),
    stop: () => remote.stop(),
  };
}
