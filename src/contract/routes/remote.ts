import { ListenerRequest, PublicUrlRequest, RemoteAccess } from '../remote.ts';
import { route } from './route.ts';

const tag = 'remote';

export const readRemote = route({ method: 'GET', path: '/api/remote', tag, answer: RemoteAccess });
export const addPublicUrl = route({
  method: 'POST',
  path: '/api/remote/urls',
  tag,
  role: 'admin',
  body: PublicUrlRequest,
  answer: RemoteAccess,
});
export const openListener = route({
  method: 'PUT',
  path: '/api/remote/listener',
  tag,
  role: 'admin',
  body: ListenerRequest,
  answer: RemoteAccess,
});
/** Removes every address and closes the HTTPS door. Devices stay paired. */
export const closeRemote = route({ method: 'DELETE', path: '/api/remote', tag, role: 'admin', answer: RemoteAccess });
