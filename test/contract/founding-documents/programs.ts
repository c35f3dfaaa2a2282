import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

/**
 * The programs of the two founding documents, "Two-Way Communication Architecture Analysis" and "HTTP-Based Two-Way Communication
 * Solutions", written from their text alone: what their hook, their message loop and their page send, and what they read in the response.
 * The only addition is the credential, which the documents don't have.
 */
export interface Backend {
  url: string;
  token: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the documents' programs read fields and trust them
type Json = any;

export interface Response {
  status: number;
  json: Json;
}

export type Decision = 'allow' | 'deny' | 'ask';

export async function http({ url, token }: Backend, method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text ? JSON.parse(text) : undefined };
}

interface Tool {
  session_id: string;
  tool_name: string;
  tool_input: Record<string, unknown>;
}

/** Document 1, 4.2 phase 2: the hook blocks on one request. */
export async function blockingHook(backend: Backend, tool: Tool): Promise<Response> {
  return http(backend, 'POST', '/request-approval', tool);
}

/** Document 1, 5.2 phase 2: the hook creates a request, then polls until it is decided or its own time is up. */
export async function pollingHook(backend: Backend, tool: Tool, { maxWaitSeconds = 30 } = {}): Promise<Decision> {
  const created = await http(backend, 'POST', '/create-approval-request', tool);
  return poll(backend, `/approval-requests/${created.json.request_id}/decision?timeout=5.0`, maxWaitSeconds);
}

/** Document 1, 6.1: the hook generates the correlation id and polls the response queue for it. */
export async function correlatingHook(
  backend: Backend,
  tool: Tool,
  { correlationId = randomUUID() as string, maxWaitSeconds = 30 } = {},
): Promise<Decision> {
  await http(backend, 'POST', '/approval-queue', { correlation_id: correlationId, ...tool });
  return poll(backend, `/response-queue/${correlationId}`, maxWaitSeconds);
}

async function poll(backend: Backend, path: string, maxWaitSeconds: number): Promise<Decision> {
  const start = Date.now();
  while (Date.now() - start < maxWaitSeconds * 1000) {
    const { status, json } = await http(backend, 'GET', path);
    if (status === 200) return json.decision;
    if (status !== 202) return 'deny';
    await sleep(50);
  }
  return 'deny';
}

/** Document 0, 4.2 phase 2: after each message the loop checks whether to stop, reports it and exits. */
export async function messageLoop(backend: Backend, sessionId: string, { everyMs = 50 } = {}): Promise<void> {
  for (;;) {
    const { json } = await http(backend, 'GET', `/check-stop/${sessionId}`);
    if (json.stop_requested) break;
    await sleep(everyMs);
  }
  await sendEvent(backend, {
    event_type: 'session_stop',
    session_id: sessionId,
    exit_code: 130,
    reason: 'stopped_by_user',
  });
}

/** Document 0, 2.1: what hooks and the message loop post. */
export async function sendEvent(backend: Backend, event: Record<string, unknown>): Promise<Response> {
  return http(backend, 'POST', '/events', { timestamp: new Date().toISOString(), ...event });
}

/** Document 0, 3.2: the page's socket. */
export async function openSocket({ url, token }: Backend) {
  const messages: Json[] = [];
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } });
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return {
    messages,
    close: () => socket.close(),
    /** The first message that matches, past or future. */
    async next(fits: (message: Json) => boolean, what: string): Promise<Json> {
      const deadline = Date.now() + 30_000;
      for (;;) {
        const found = messages.find(fits);
        if (found) return found;
        if (Date.now() > deadline) throw new Error(`no message: ${what}; got ${JSON.stringify(messages, null, 1)}`);
        await sleep(20);
      }
    },
  };
}

export type Socket = Awaited<ReturnType<typeof openSocket>>;
