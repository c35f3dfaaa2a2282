import { Agent } from '../../agent/agent.ts';
import type { Emit } from '../../agent/events.ts';
import type { BudgetQuestion } from '../../agent/loop/budget.ts';
import { toTokens } from '../../agent/loop/usage.ts';
import { anthropicModel } from '../../agent/model/anthropic.ts';
import { Asks } from '../../agent/permission/asks.ts';
import { createPermissionContext, type PermissionContext, withMode } from '../../agent/permission/context.ts';
import { createSandbox } from '../../agent/sandbox/sandbox.ts';
import { Shells } from '../../agent/shells/shells.ts';
import { createTools } from '../../agent/tools/create-tools.ts';
import { connectMcp, type McpServers } from '../../agent/tools/mcp.ts';
import { Workspace } from '../../agent/tools/workspace.ts';
import { Prices } from '../../daemon/transcripts/prices/prices.ts';

export interface SessionOptions {
  cwd: string;
  apiKey: string;
  baseUrl?: string;
  model: string;
  dataDir: string;
  permission: Partial<PermissionContext>;
  hosts: string[];
  mcpServers: McpServers;
  maxTurns?: number;
  budgetUsd?: number;
  thinking?: number;
}

/** What the face of a session gives it: where events go, and who answers. */
export interface SessionHost {
  emit: Emit;
  nobodyThere: () => string | undefined;
  askForBudget: (question: BudgetQuestion) => Promise<number | null>;
  askForHost: (host: string) => Promise<boolean>;
}

export interface Session {
  agent: Agent;
  asks: Asks;
  shells: Shells;
  workspace: Workspace;
  /** MCP servers that did not start. */
  problems: string[];
  close(): Promise<number[]>;
}

const DEFAULT_WINDOW = 200_000;
const MAX_TOKENS = 32_000;

/** The native agent without a daemon: it asks in place. */
export async function openSession(options: SessionOptions, host: SessionHost): Promise<Session> {
  const { cwd, apiKey, baseUrl, model, dataDir, permission, hosts, maxTurns, budgetUsd, thinking } = options;
  const { emit } = host;
  const prices = new Prices();
  const workspace = new Workspace(cwd);
  const shells = new Shells({ emit, env: process.env });
  const sandbox = createSandbox({ unreadable: [dataDir], allowedHosts: hosts, askForHost: host.askForHost });
  const context = createPermissionContext(permission);
  const asks = new Asks({ context, cwd, emit, now: Date.now, nobodyThere: host.nobodyThere });
  const mcp = await connectMcp(options.mcpServers, { cwd });
  const leavePlanMode = () => {
    asks.context = withMode(asks.context, 'default');
  };
  const agent = new Agent({
    cwd,
    stream: anthropicModel({ apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) }),
    settings: {
      model,
      maxTokens: MAX_TOKENS,
      ...(thinking === undefined ? {} : { thinking: { type: 'enabled', budget_tokens: thinking } }),
    },
    contextWindow: (name) => prices.contextLimitOf(name) ?? DEFAULT_WINDOW,
    tools: [...createTools({ workspace, shells, sandbox, leavePlanMode, webHosts: hosts }), ...mcp.tools],
    decide: asks.decide,
    emit,
    budget: {
      costOf: (name, usage) => prices.costOf(name, toTokens(usage)) ?? undefined,
      askForMore: (question) => host.askForBudget(question),
      ...(budgetUsd === undefined ? {} : { limitUsd: budgetUsd }),
    },
    ...(maxTurns === undefined ? {} : { maxTurns }),
  });
  return {
    agent,
    asks,
    shells,
    workspace,
    problems: mcp.problems.map(({ server, error }) => `MCP server ${server} did not start: ${error}`),
    async close() {
      const left = await shells.close();
      await Promise.all([sandbox.close(), mcp.close()]);
      return left;
    },
  };
}
