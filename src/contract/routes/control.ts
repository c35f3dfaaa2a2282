import { SessionProcessList, StopList, StopManyRequest, StopRequest, StopWait } from '../control.ts';
import { Stop } from '../sessions.ts';
import { ById, route } from './route.ts';

const tag = 'control';

export const stopSession = route({
  method: 'POST',
  path: '/api/sessions/:id/stop',
  tag,
  params: ById,
  body: StopRequest.nullish(),
  answer: Stop,
  pendingStatus: 202,
});
export const stopMany = route({
  method: 'POST',
  path: '/api/stop',
  tag,
  body: StopManyRequest,
  answer: StopList,
  pendingStatus: 202,
});
/** Command lines may contain secrets that only the operator should see. */
export const listSessionProcesses = route({
  method: 'GET',
  path: '/api/sessions/:id/processes',
  tag,
  role: 'operator',
  params: ById,
  answer: SessionProcessList,
});
export const getStopWait = route({ method: 'GET', path: '/api/stop-wait', tag, answer: StopWait });
export const setStopWait = route({ method: 'PUT', path: '/api/stop-wait', tag, body: StopWait, answer: StopWait });
