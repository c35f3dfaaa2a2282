import { Agent } from '../../agent/agent.ts';
import type { Emit } from '../../agent/events.ts';
import type { Entry } from '../../agent/loop/conversation.ts';
import type { Spending } from '../../agent/loop/spending.ts';
import { anthropicModel } from '../../agent/model/anthropic.ts';
import { readCustomHeaders } from '../../agent/model/custom-headers.ts';
import { Asks, type AsksOptions } from '../../agent/permission/asks.ts';
import { createPermissionContext, type PermissionContext, withMode } from '../../agent/permission/context.ts';
import { createSandbox } from '../../agent/sandbox/sandbox.ts';
import { Shells } from '../../agent/shells/shells.ts';
import { createTools } from '../../agent/tools/create-tools.ts';
import { connectMcp, type McpServers } from '../../agent/tools/mcp.ts';
import { Workspace } from '../../agent/tools/workspace.ts';
import { SESSION_VARIABLE } from '../../contract/runner-names.ts';
import type { Prices } from '../../daemon/transcripts/prices/prices.ts';
import { NativeStore, type StoreStart } from './native-store.ts';
import { askForHost } from './own-asks.ts';

export interface NativeOptions {
  start: StoreStart;
  version: string;
  apiKey: string;
  baseUrl?: string;
  model: string;
  dataDir: string;
  permission: Partial<PermissionContext>;
  hosts: string[];
  mcpServers: McpServers;
  maxTurns?: number;
  thinking?: number;
  /** Appended to the agent's own prompt. */
  systemPrompt?: string;
  /** The available tools. Absent: all of them. */
  tools?: readonly string[];
  /** Tools to leave out. */
  deniedTools?: readonly string[];
  /** Merged with the operator's own. */
  prices: Prices;
}

/** What the frontend of a session provides: where events go, and who answers. */
export interface NativeHost extends Pick<AsksOptions, 'nobodyThere' | 'precheck' | 'askElsewhere'> {
  emit: Emit;
  /** Decides whether another request may be sent. */
  spending: Spending;
}

export interface NativeSession {
  sessionId: string;
  cwd: string;
  agent: Agent;
  asks: Asks;
  shells: Shells;
  transcriptPath: string;
  /** The conversation before this process continued it. */
  earlier: readonly Entry[];
  /** MCP servers that failed to start. */
  problems: string[];
  /** Returns the pids of processes that survived, normally none. */
  close(): Promise<number[]>;
}

const DEFAULT_WINDOW = 200_000;
const MAX_TOKENS = 32_000;

/** One session of the built-in agent, with its conversation on disk. */
export async function openNativeSession(options: NativeOptions, host: NativeHost): Promise<NativeSession> {
  const { apiKey, baseUrl, model, dataDir, permission, hosts, maxTurns, thinking, version, prices } = options;
  const { nobodyThere, precheck, askElsewhere } = host;
  const store = NativeStore.open({ dataDir, version }, options.start);
  const { cwd } = store;
  const emit: Emit = (event) => {
    store.take(event);
    return host.emit(event);
  };
  const workspace = new Workspace(cwd);
  const shells = new Shells({ emit, env: { ...process.env, [SESSION_VARIABLE]: store.sessionId } });
  const asks = new Asks({
    context: createPermissionContext(permission),
    cwd,
    emit,
    now: Date.now,
    nobodyThere,
    ...(precheck ? { precheck } : {}),
    ...(askElsewhere ? { askElsewhere } : {}),
  });
  const ending = new AbortController();
  const sandbox = createSandbox({
    unreadable: [dataDir],
    allowedHosts: hosts,
    askForHost: (name) => askForHost(asks, name, ending.signal),
  });
  const mcp = await connectMcp(options.mcpServers, { cwd });
  const leavePlanMode = () => {
    asks.context = withMode(asks.context, 'default');
  };
  const tools = [...createTools({ workspace, shells, sandbox, leavePlanMode, webHosts: hosts }), ...mcp.tools];
  const { deniedTools = [], tools: given } = options;
  const has = (...names: string[]) =>
    !names.some((name) => deniedTools.includes(name)) &&
    (given === undefined || names.some((name) => given.includes(name)));
  const agent = new Agent({
    cwd,
    stream: anthropicModel({
      apiKey,
      headers: readCustomHeaders(process.env.ANTHROPIC_CUSTOM_HEADERS),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    }),
    settings: {
      model,
      maxTokens: MAX_TOKENS,
      ...(thinking === undefined ? {} : { thinking: { type: 'enabled', budget_tokens: thinking } }),
    },
    contextWindow: (name) => prices.contextLimitOf(name) ?? DEFAULT_WINDOW,
    tools: tools.filter(({ name }) => has(name)),
    // Claude Code's name for it, too
    hasSubagents: has('Task', 'Agent'),
    decide: asks.decide,
    emit,
    entries: store.entries,
    budget: host.spending,
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(options.systemPrompt === undefined ? {} : { systemPrompt: options.systemPrompt }),
  });
  return {
    sessionId: store.sessionId,
    cwd,
    agent,
    asks,
    shells,
    transcriptPath: store.transcriptPath,
    earlier: store.entries,
    problems: mcp.problems.map(({ server, error }) => `MCP server ${server} did not start: ${error}`),
    async close() {
      ending.abort();
      const left = await shells.close();
      await Promise.all([sandbox.close(), mcp.close()]);
      store.close();
      return left;
    },
  };
}
