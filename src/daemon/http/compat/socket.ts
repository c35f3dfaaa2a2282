import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Approval } from '../../../contract/approvals.ts';
import { SOCKET_PROTOCOL } from '../../../contract/proof.ts';
import type { Rule } from '../../../contract/rules.ts';
import type { LiveSession } from '../../../contract/sessions.ts';
import type { Devices, KnownDevice } from '../../access/devices.ts';
import type { Guard } from '../../access/guard.ts';
import { DomainError } from '../../errors.ts';
import type { JournalEvent } from '../../journal/journal.ts';
import { maskDeep } from '../../masking/mask-secrets.ts';
import type { Reviews } from '../../reviews/reviews.ts';
import type { LiveModel } from '../../sessions/live-model.ts';
import type { Frame } from '../../stream/frames.ts';
import type { Batch, Hub } from '../../stream/hub.ts';
import { LatestOfEach } from '../../stream/latest.ts';
import { routesOf } from '../routes.ts';
import { toApprovalRequest } from './approval-shape.ts';
import { toCompatEvent } from './event-shape.ts';
import { toCompatReview } from './review-shape.ts';
import { toCompatRule } from './rule-shape.ts';
import { toCompatSession } from './session-shape.ts';

/** With more than this unsent, a client is behind and gets only the latest of each session once it has caught up. */
const MAX_UNSENT = 1024 * 1024;
const LOOK_AGAIN_MS = 100;

interface SocketContext {
  guard: Guard;
  devices: Devices;
  hub: Hub;
  live: LiveModel;
  reviews: Reviews;
}

/** WebSocket `/ws` as in the documents: init, event, session_updated, session_deleted, approval_request, rule_updated. */
export const compatSocket = routesOf<SocketContext>((app, context) => {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 64 * 1024,
    // Never the one that carries the proof.
    handleProtocols: (offered) => (offered.has(SOCKET_PROTOCOL) ? SOCKET_PROTOCOL : false),
  });
  app.server.on('upgrade', (request, socket, head) => {
    // Until it is a WebSocket, nothing else handles its errors, and one that breaks would take the daemon down.
    socket.on('error', () => socket.destroy());
    const device = admit(request, context);
    if (device instanceof DomainError) return answer(socket, device);
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on(
        'close',
        context.devices.whenRevoked(device.id, () => client.terminate()),
      );
      serve(client, context, device);
    });
  });
  app.addHook('preClose', async () => {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
  });
});

function admit(request: IncomingMessage, { guard }: SocketContext): KnownDevice | DomainError {
  if (request.url?.split('?')[0] !== '/ws') return new DomainError('request.not_found', 404, 'WebSockets are at /ws.');
  try {
    const device = guard.check({ access: 'viewer', method: 'GET', headers: request.headers })!;
    return device.projects.length === 0
      ? device
      : new DomainError('access.limited', 403, `${device.name} is limited to some projects. Use /api/live/stream.`);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function answer(socket: Duplex, { status, code, message }: DomainError): void {
  const body = JSON.stringify({ error: { code, message } });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function serve(client: WebSocket, { hub, live, reviews }: SocketContext, { role }: KnownDevice): void {
  const behind = new LatestOfEach();
  let lookAgain: NodeJS.Timeout | undefined;
  const send = (message: unknown) => {
    // Viewers see what operators see, with secrets masked.
    const text = toText(role === 'viewer' ? maskDeep(message) : message);
    if (text !== undefined) client.send(text);
  };

  const leave = hub.add({
    isViewer: role === 'viewer',
    send(batch: Batch) {
      if (behind.size > 0 || client.bufferedAmount > MAX_UNSENT) return fallBehind(batch.frames);
      for (const event of batch.events) send(ofEvent(event));
      for (const frame of batch.frames) send(toMessage(frame));
    },
  });
  const leaveReviews = reviews.onPending((review) => {
    const isBehind = behind.size > 0 || client.bufferedAmount > MAX_UNSENT;
    if (!isBehind) send({ type: 'event', data: toCompatReview(review) });
  });
  send({ type: 'init', sessions: live.views().map(toCompatSession) });
  client.on('error', () => client.terminate());
  client.on('close', () => {
    clearInterval(lookAgain);
    leave();
    leaveReviews();
  });

  function fallBehind(frames: Frame[]): void {
    behind.add(frames);
    lookAgain ??= setInterval(() => {
      if (client.bufferedAmount > MAX_UNSENT) return;
      clearInterval(lookAgain);
      lookAgain = undefined;
      for (const frame of behind.take()) send(toMessage(frame));
    }, LOOK_AGAIN_MS);
  }
}

/** undefined: nothing to send, or an event nested too deeply to serialize. */
function toText(message: unknown): string | undefined {
  try {
    return JSON.stringify(message);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A rule change is a separate message with the rule. undefined: the documents have no message for it. */
function ofEvent(event: JournalEvent): unknown {
  const { source, name, payload } = event;
  const [, action] = source === 'hook' ? [] : (/^rule\.(created|updated|deleted|restored)$/.exec(name) ?? []);
  if (action) return { type: 'rule_updated', action, rule: toCompatRule(payload.rule as Rule) };
  const data = toCompatEvent(event);
  return data ? { type: 'event', data } : undefined;
}

/** undefined: the documents have no message for it. */
function toMessage({ kind, key, data }: Frame): unknown {
  switch (kind) {
    case 'session_removed':
      return { type: 'session_deleted', session_id: key };
    case 'session_stopping':
      return { type: 'session_stopping', session_id: key };
    case 'session_discovered':
    case 'session_updated':
      return { type: 'session_updated', session: toCompatSession(data as LiveSession) };
    case 'approval_request':
      return { type: 'approval_request', ...toApprovalRequest(data as Approval) };
    default:
      return undefined;
  }
}
