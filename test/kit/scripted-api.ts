import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { currentTurn, isSideRequest, type MessagesRequest, type Turn } from './conversation.ts';
import { listenOnLoopback } from './loopback-server.ts';
import { openManualAnswer } from './manual-answer.ts';
import { type Step, say } from './scripted-answer.ts';
import { sendAnswer } from './send-answer.ts';
import { validateConversation } from './validate-conversation.ts';

export interface Rule {
  /** Matched against the current prompt; for a subagent that is the prompt from its parent. */
  when: string | RegExp;
  /** Only for conversations of this kind. Default: both. */
  from?: 'main' | 'subagent';
  /** One entry per model reply to that prompt. After the last one, the model says it is done. */
  reply: (Step | ((request: MessagesRequest) => Step))[];
}

/** The first rule that matches the current prompt answers, so order matters. */
export type Scenario = Rule[];

export interface RecordedRequest {
  kind: 'turn' | 'side' | 'count_tokens';
  /** Set when a subagent asks. */
  agentId: string | undefined;
  turn: Turn;
  body: MessagesRequest;
}

export interface ScriptedApi {
  url: string;
  /** Everything the client requested, oldest first. */
  requests: RecordedRequest[];
  close(): Promise<void>;
}

export interface ScriptedApiOptions {
  /** Rejects conversations that the real API would reject, in the same way. */
  strict?: boolean;
}

/** A Messages API on loopback that replies from a script, to lead the real client through any situation. */
export async function startScriptedApi(
  scenario: Scenario,
  { strict = false }: ScriptedApiOptions = {},
): Promise<ScriptedApi> {
  const requests: RecordedRequest[] = [];
  const server = await listenOnLoopback((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      sendError(response, { status: 400, type: 'invalid_request_error', message: String(error) });
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', server.url);
    if (request.method !== 'POST' || !pathname.startsWith('/v1/messages')) {
      const message = `${request.method} ${pathname} is not scripted`;
      return sendError(response, { status: 404, type: 'not_found_error', message });
    }
    const body = (await json(request)) as MessagesRequest;
    const asked: RecordedRequest = {
      kind: pathname.endsWith('/count_tokens') ? 'count_tokens' : isSideRequest(body) ? 'side' : 'turn',
      agentId: request.headers['x-claude-code-agent-id'] as string | undefined,
      turn: currentTurn(body.messages),
      body,
    };
    requests.push(asked);
    if (asked.kind === 'count_tokens') return sendJson(response, 200, { input_tokens: roughTokens(body) });
    const [problem] = strict ? validateConversation(body) : [];
    if (problem) return sendError(response, { status: 400, type: 'invalid_request_error', message: problem });
    const step = asked.kind === 'side' ? say('ok') : nextStep(scenario, asked);
    if (step.kind === 'api-error') return sendError(response, step);
    if (step.kind === 'live') return step.play(openManualAnswer(response, body), body);
    await sendAnswer(response, body, step);
  }

  return { ...server, requests };
}

function nextStep(scenario: Scenario, { turn, agentId, body }: RecordedRequest): Step {
  const asker = agentId === undefined ? 'main' : 'subagent';
  const rule = scenario.find(({ when, from = asker }) => from === asker && matches(when, turn.prompt));
  const step = rule?.reply[turn.step] ?? say('Done.');
  return typeof step === 'function' ? step(body) : step;
}

function matches(when: string | RegExp, prompt: string): boolean {
  return typeof when === 'string' ? prompt.includes(when) : when.test(prompt);
}

interface ApiError {
  status: number;
  type: string;
  message: string;
  retry?: Record<string, string>;
}

function sendError(response: ServerResponse, error: ApiError): void {
  // Without this the client backs off and retries an overload for minutes.
  for (const [name, value] of Object.entries(error.retry ?? { 'x-should-retry': 'false' }))
    response.setHeader(name, value);
  sendJson(response, error.status, { type: 'error', error: { type: error.type, message: error.message } });
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function roughTokens({ messages }: MessagesRequest): number {
  return Math.ceil(JSON.stringify(messages).length / 4);
}
