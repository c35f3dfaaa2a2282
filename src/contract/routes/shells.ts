import { z } from 'zod';
import { ShellKilled, ShellList, ShellOutput, ShellOutputQuery } from '../shells.ts';
import { NOTHING, route } from './route.ts';

const tag = 'shells';
const OfSession = z.object({ id: z.string().min(1).max(200) });
const Shell = OfSession.extend({ shellId: z.string().min(1).max(100) });
const Call = OfSession.extend({ callId: z.string().min(1).max(200) });

export const listShells = route({
  method: 'GET',
  path: '/api/sessions/:id/shells',
  tag,
  params: OfSession,
  answer: ShellList,
});
export const readShell = route({
  method: 'GET',
  path: '/api/sessions/:id/shells/:shellId/output',
  tag,
  params: Shell,
  query: ShellOutputQuery,
  answer: ShellOutput,
});
export const killShell = route({
  method: 'POST',
  path: '/api/sessions/:id/shells/:shellId/kill',
  tag,
  params: Shell,
  answer: ShellKilled,
});
/** Sends a running command to the background: its call gets a result, and the model continues. */
export const backgroundCall = route({
  method: 'POST',
  path: '/api/sessions/:id/calls/:callId/background',
  tag,
  params: Call,
  ...NOTHING,
});
/** Ends one call. The turn continues with its result. */
export const killCall = route({
  method: 'POST',
  path: '/api/sessions/:id/calls/:callId/kill',
  tag,
  params: Call,
  ...NOTHING,
});
