import { QueueLimitsChange, QueueMove, QueueView } from '../queue.ts';
import { ById, route } from './route.ts';

const tag = 'queue';

export const getQueue = route({ method: 'GET', path: '/api/queue', tag, answer: QueueView });
export const setQueueLimits = route({
  method: 'PUT',
  path: '/api/queue/limits',
  tag,
  body: QueueLimitsChange,
  answer: QueueView,
});
export const pauseQueue = route({ method: 'POST', path: '/api/queue/pause', tag, answer: QueueView });
/** Even before a usage limit resets. */
export const resumeQueue = route({ method: 'POST', path: '/api/queue/resume', tag, answer: QueueView });
export const moveQueued = route({
  method: 'PATCH',
  path: '/api/queue/:id',
  tag,
  params: ById,
  body: QueueMove,
  answer: QueueView,
});
