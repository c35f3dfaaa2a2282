import { Readable } from 'node:stream';
import type { ExportFormat } from '../../contract/messages.ts';
import * as routes from '../../contract/routes/messages.ts';
import type { Acting } from '../access/acting.ts';
import { DomainError } from '../errors.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Transcripts } from '../transcripts/transcripts.ts';
import { routesOf } from './routes.ts';
import { sendJson } from './send-json.ts';
import { serve } from './serve.ts';

const TYPES: Record<ExportFormat, string> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
};
/** Agents control the content of these responses, so opened in a browser they can do nothing. */
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

export const messageRoutes = routesOf<MessagesContext>((app, { live, transcripts, acting }) => {
  const claimOf = (sessionId: string) => live.get(sessionId)?.transcriptPath ?? null;

  serve(app, routes.listMessages, async ({ params: { id }, query: { agentId, ...query } }, reply) =>
    sendJson(reply, await transcripts.query('messagesJson', { sessionId: id, claimed: claimOf(id), agentId, query })),
  );
  serve(app, routes.getMessage, async ({ params: { id, messageId }, query: { agentId } }, reply) =>
    sendJson(
      reply,
      await transcripts.query('messageJson', { sessionId: id, claimed: claimOf(id), agentId, messageId }),
    ),
  );
  serve(app, routes.findInSession, ({ params: { id }, query: { agentId, ...query } }) =>
    transcripts.query('findInConversation', { sessionId: id, claimed: claimOf(id), agentId, query }),
  );
  serve(app, routes.getChanges, async ({ params: { id } }, reply) =>
    sendJson(reply, await transcripts.query('sessionChangesJson', { sessionId: id, claimed: claimOf(id) })),
  );

  serve(app, routes.getImage, async ({ params: { id, imageId } }, reply) => {
    const image = await transcripts.query('readSessionImage', { sessionId: id, claimed: claimOf(id), imageId });
    reply.headers({ ...INERT, 'content-type': image.mediaType, 'cache-control': 'private, max-age=3600' });
    return reply.send(Buffer.from(image.bytes.buffer, image.bytes.byteOffset, image.bytes.byteLength));
  });

  serve(app, routes.exportSession, async (request, reply) => {
    const {
      params: { id },
      query,
    } = request;
    if (query.secrets === 'shown') {
      if (request.device?.role === 'viewer' || request.device === undefined)
        throw new DomainError('export.viewer', 403, 'Only operators can see secrets. Leave out secrets=shown.');
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
    // An error can still become its own response until something has been sent.
    const first = await pieces.next();
    const name = `session-${id.replace(/[^\w-]/g, '').slice(0, 40)}.${query.format}`;
    reply.headers({
      ...INERT,
      'content-type': TYPES[query.format],
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    });
    return reply.send(Readable.from(followedBy(first, pieces)));
  });
});

async function* followedBy(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string, void> {
  if (first.done) return;
  try {
    yield first.value;
    yield* rest;
  } finally {
    // Also if the caller disconnects before the second chunk.
    await rest.return(undefined);
  }
}
