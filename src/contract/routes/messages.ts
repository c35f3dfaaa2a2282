import { z } from 'zod';
import {
  ExportQuery,
  FindQuery,
  FindResult,
  Message,
  MessagePage,
  MessagesQuery,
  SessionChanges,
} from '../messages.ts';
import { OpenMessageList } from '../runners.ts';
import { route } from './route.ts';

const tag = 'messages';
const OfSession = z.object({ id: z.string().max(200) });

export const listMessages = route({
  method: 'GET',
  path: '/api/sessions/:id/messages',
  tag,
  params: OfSession,
  query: MessagesQuery,
  answer: MessagePage,
});
/** Text that a runner has streamed and the transcript may not have yet. */
export const listOpenMessages = route({
  method: 'GET',
  path: '/api/sessions/:id/open-messages',
  tag,
  role: 'operator',
  params: OfSession,
  answer: OpenMessageList,
});
export const getMessage = route({
  method: 'GET',
  path: '/api/sessions/:id/messages/:messageId',
  tag,
  params: OfSession.extend({ messageId: z.string().max(200) }),
  query: MessagesQuery.pick({ agentId: true }),
  answer: Message,
});
export const findInSession = route({
  method: 'GET',
  path: '/api/sessions/:id/find',
  tag,
  params: OfSession,
  query: FindQuery,
  answer: FindResult,
});
export const getChanges = route({
  method: 'GET',
  path: '/api/sessions/:id/changes',
  tag,
  params: OfSession,
  answer: SessionChanges,
});
export const getImage = route({
  method: 'GET',
  path: '/api/sessions/:id/images/:imageId',
  tag,
  params: OfSession.extend({ imageId: z.string().max(200) }),
});
export const exportSession = route({
  method: 'GET',
  path: '/api/sessions/:id/export',
  tag,
  params: OfSession,
  query: ExportQuery,
});
