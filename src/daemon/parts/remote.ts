import type { RequestListener } from 'node:http';
import { remoteRoutes } from '../http/remote.ts';
import { Remote } from '../remote/remote.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';

export type RemotePart = ReturnType<typeof remotePart>;

/** How other machines reach the page. */
export function remotePart(base: Base, { core, handle }: Pick<CorePart, 'core'> & { handle: () => RequestListener }) {
  const remote = new Remote({ ...base, record: core.record, handle });
  return {
    remote,
    publicUrls: () => remote.urls,
    routes: [remoteRoutes({ remote })],
    start: () => remote.start(),
    stop: () => remote.stop(),
  };
}
