import { Readable } from 'node:stream';
import { z } from 'zod';
import {
  type ExportFormat,
  ExportQuery,
  FindQuery,
  FindResult,
  Message,
  MessagePage,
  MessagesQuery,
  SessionChanges,
} from '../../contract/messages.ts';
import type { Acting } from '../access/acting.ts';
import { DomainError } from '../errors.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Transcripts } from '../transcripts/transcripts.ts';
import type { Routes } from './routes.ts';
import { sendJson } from './send-json.ts';

const Params = z.object({ id: z.string().max(200) });
const agentId = MessagesQuery.shape.agentId;

const TYPES: Record<ExportFormat, string> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
};
/** Agents choose what is in these answers: opened in a browser, they can do nothing. */
const INERT = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

interface MessagesContext {
  live: LiveModel;
  transcripts: Transcripts;
  acting: Acting;
}

export const messageRoutes =
  ({ live, transcripts, acting }: MessagesContext): Routes =>
  async (app) => {
    const tags = ['messages'];
    const claimOf = (sessionId: string) => live.get(sessionId)?.transcriptPath ?? null;

    app.get(
      '/api/sessions/:id/messages',
      { schema: { tags, params: Params, querystring: MessagesQuery, response: { 200: MessagePage } } },
      async ({ params: { id }, query: { agentId, ...query } }, reply) =>
        sendJson(
          reply,
          await transcripts.query('messagesJson', { sessionId: id, claimed: claimOf(id), agentId, query }),
        ),
    );

    app.get(
      '/api/sessions/:id/messages/:messageId',
      {
        schema: {
          tags,
          params: Params.extend({ messageId: z.string().max(200) }),
          querystring: z.object({ agentId }),
          response: { 200: Message },
        },
      },
      async ({ params: { id, messageId }, query: { agentId } }, reply) =>
        sendJson(
          reply,
          await transcripts.query('messageJson', { sessionId: id, claimed: claimOf(id), agentId, messageId }),
        ),
    );

    app.get(
      '/api/sessions/:id/find',
      { schema: { tags, params: Params, querystring: FindQuery, response: { 200: FindResult } } },
      async ({ params: { id }, query: { agentId, ...query } }) =>
        transcripts.query('findInConversation', { sessionId: id, claimed: claimOf(id), agentId, query }),
    );

    app.get(
      '/api/sessions/:id/changes',
      { schema: { tags, params: Params, response: { 200: SessionChanges } } },
      async ({ params: { id } }, reply) =>
        sendJson(reply, await transcripts.query('sessionChangesJson', { sessionId: id, claimed: claimOf(id) })),
    );

    app.get(
      '/api/sessions/:id/images/:imageId',
      { schema: { tags, params: Params.extend({ imageId: z.string().max(200) }) } },
      async ({ params: { id, imageId } }, reply) => {
        const image = await transcripts.query('readSessionImage', { sessionId: id, claimed: claimOf(id), imageId });
        reply.headers({ ...INERT, 'content-type': image.mediaType, 'cache-control': 'private, max-age=3600' });
        return reply.send(Buffer.from(image.bytes.buffer, image.bytes.byteOffset, image.bytes.byteLength));
      },
    );

    app.get(
      '/api/sessions/:id/export',
      { schema: { tags, params: Params, querystring: ExportQuery } },
      async (request, reply) => {
        const {
          params: { id },
          query,
        } = request;
        if (query.secrets === 'shown') {
          if (request.device?.role !== 'operator')
            throw new DomainError(
              'export.viewer',
              403,
              'Secrets are shown to operators only. Leave out secrets=shown.',
            );
          await acting.admit(request);
        }
        const view = live.view(id);
        const pieces = transcripts.stream('exportSession', {
          ...query,
          sessionId: id,
          claimed: claimOf(id),
          title: view?.title ?? null,
          project: view?.projectPath ?? null,
          at: Date.now(),
        });
        // what is wrong is an answer of its own as long as nothing was sent
        const first = await pieces.next();
        const name = `session-${id.replace(/[^\w-]/g, '').slice(0, 40)}.${query.format}`;
        reply.headers({
          ...INERT,
          'content-type': TYPES[query.format],
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'no-store',
        });
        return reply.send(Readable.from(followedBy(first, pieces)));
      },
    );
  };

async function* followedBy(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string, void> {
  if (first.done) return;
  try {
    yield first.value;
    yield* rest;
  } finally {
    // also when whoever asked goes away before the second piece
    await rest.return(undefined);
  }
}
