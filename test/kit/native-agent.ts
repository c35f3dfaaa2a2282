import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Agent, type AgentOptions } from '../../src/agent/agent.ts';
import type { LoopEvent } from '../../src/agent/events.ts';
import type { Entry } from '../../src/agent/loop/conversation.ts';
import { anthropicModel } from '../../src/agent/model/anthropic.ts';
import { Asks } from '../../src/agent/permission/asks.ts';
import { createPermissionContext, type PermissionContext } from '../../src/agent/permission/context.ts';
import { defineTool, ok, type Tool } from '../../src/agent/tools/tool.ts';
import type { MessagesRequest } from './conversation.ts';
import { type Step, say } from './scripted-answer.ts';
import { type ScriptedApi, startScriptedApi } from './scripted-api.ts';
import { waitFor } from './wait.ts';

type ScriptedStep = Step | ((request: MessagesRequest) => Step);

export interface NativeAgent {
  agent: Agent;
  asks: Asks;
  api: ScriptedApi;
  /** Everything the agent reported, oldest first. */
  events: LoopEvent[];
  /** The stored conversation of the main agent. */
  entries(): Entry[];
  types(): string[];
  until<T extends LoopEvent['type']>(type: T, count?: number): Promise<Extract<LoopEvent, { type: T }>>;
  close(): Promise<void>;
}

export interface NativeAgentOptions extends Partial<Omit<AgentOptions, 'tools'>> {
  tools?: readonly Tool[];
  permission?: Partial<PermissionContext>;
  nobodyThere?: () => string | undefined;
  silenceMs?: number;
  /** Called with each event before it counts as stored. */
  onEvent?: (event: LoopEvent) => void | Promise<void>;
}

/** The native agent on a strict scripted API that replies with these steps, one per request. */
export async function startNativeAgent(
  steps: readonly ScriptedStep[],
  options: NativeAgentOptions = {},
): Promise<NativeAgent> {
  const script = [...steps];
  const api = await startScriptedApi(
    [
      {
        when: /[\s\S]*/,
        reply: Array.from({ length: 500 }, () => (request: MessagesRequest) => {
          const step = script.shift() ?? say('Done.');
          return typeof step === 'function' ? step(request) : step;
        }),
      },
    ],
    { strict: true },
  );
  const events: LoopEvent[] = [];
  const { permission, nobodyThere = () => undefined, onEvent, silenceMs, tools = [], ...given } = options;
  const emit = (event: LoopEvent) => {
    events.push(event);
    return onEvent?.(event);
  };
  const cwd = options.cwd ?? '/';
  const asks = new Asks({ context: createPermissionContext(permission), cwd, emit, now: Date.now, nobodyThere });
  const agent = new Agent({
    cwd,
    stream: anthropicModel({ apiKey: 'test', baseUrl: api.url, ...(silenceMs === undefined ? {} : { silenceMs }) }),
    settings: { model: 'claude-sonnet-5', maxTokens: 4096 },
    contextWindow: () => 200_000,
    decide: asks.decide,
    budget: { spend: () => undefined, admits: async () => true },
    sleep: (ms, signal) => sleep(Math.min(ms, 5), undefined, { signal }),
    ...given,
    tools,
    emit,
  });
  const ofType = (type: string) => events.filter((event) => event.type === type);
  return {
    agent,
    asks,
    api,
    events,
    entries: () =>
      events.flatMap((event) => (event.type === 'entry' && event.actor.id === 'main' ? [event.entry] : [])),
    types: () => events.map(({ type }) => type),
    async until(type, count = 1) {
      await waitFor(() => ofType(type).length >= count, { what: `${count} × ${type}`, interval: 2 });
      return ofType(type)[count - 1] as never;
    },
    close: () => api.close(),
  };
}

/** A tool that a test starts and ends by hand. */
export interface HeldTool {
  tool: Tool;
  /** Inputs of current and past calls. */
  started: string[];
  finish(key: string, text?: string): void;
}

export function heldTool(
  name: string,
  { gate = 'read', permission = 'none' }: Partial<Pick<Tool, 'gate' | 'permission'>> = {},
): HeldTool {
  const started: string[] = [];
  const waiting = new Map<string, (text: string) => void>();
  return {
    started,
    finish(key, text = `${key} done`) {
      waiting.get(key)?.(text);
    },
    tool: defineTool({
      name,
      description: 'Runs until the test ends it',
      input: z.object({ key: z.string() }),
      gate,
      permission: typeof permission === 'function' ? 'none' : permission,
      run: ({ key }, { signal }) =>
        new Promise((resolve, reject) => {
          started.push(key);
          waiting.set(key, (text) => resolve(ok(text)));
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    }),
  };
}

/** A tool that returns immediately. */
export function quickTool(
  name: string,
  { gate = 'read', permission = 'none' }: Partial<Pick<Tool, 'gate' | 'permission'>> = {},
): Tool & { runs: string[] } {
  const runs: string[] = [];
  const tool = defineTool({
    name,
    description: 'Answers at once',
    input: z.object({ key: z.string() }),
    gate,
    permission: typeof permission === 'function' ? 'none' : permission,
    run: async ({ key }) => {
      runs.push(key);
      return ok(`${key} done`);
    },
  });
  return { ...tool, runs };
}

/** The tool results in the last message of a request. */
export function resultsIn(request: MessagesRequest | undefined): { id: unknown; content: unknown; isError: unknown }[] {
  const content = request?.messages.at(-1)?.content;
  if (!Array.isArray(content)) return [];
  return content
    .filter(({ type }) => type === 'tool_result')
    .map(({ tool_use_id, content: text, is_error }) => ({ id: tool_use_id, content: text, isError: is_error }));
}

/** A promise that the test resolves. */
export function hold(): { held: Promise<void>; release: () => void } {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release: () => release() };
}
