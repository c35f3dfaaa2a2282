import { z } from 'zod';
import { FanOut, FanOutList, FanOutQuery, FanOutRequest, KeepRequest } from '../fan-outs.ts';
import { route } from './route.ts';

const tag = 'fan-outs';

/** By id, or by name: the newest with that name, in `project` if given. */
const Ref = z.object({ id: z.string().min(1).max(200) });
const InProject = z.object({ project: z.string().max(4096).optional() });

export const startFanOut = route({
  method: 'POST',
  path: '/api/fan-outs',
  tag,
  body: FanOutRequest,
  status: 201,
  answer: FanOut,
});
export const listFanOuts = route({ method: 'GET', path: '/api/fan-outs', tag, query: FanOutQuery, answer: FanOutList });
export const getFanOut = route({
  method: 'GET',
  path: '/api/fan-outs/:id',
  tag,
  params: Ref,
  query: InProject,
  answer: FanOut,
});
export const keepFanOut = route({
  method: 'POST',
  path: '/api/fan-outs/:id/keep',
  tag,
  params: Ref,
  query: InProject,
  body: KeepRequest,
  answer: FanOut,
});
/** Keeps none: every worktree is removed, each with a snapshot. */
export const discardFanOut = route({
  method: 'POST',
  path: '/api/fan-outs/:id/discard',
  tag,
  params: Ref,
  query: InProject,
  answer: FanOut,
});
