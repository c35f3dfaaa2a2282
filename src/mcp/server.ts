import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isFinished, type OrchestratedSession, SessionName, type SessionResult } from '../contract/orchestration.ts';
import type { McpBackend, SessionRef } from './backend.ts';

/** Clients give up after a minute without an answer. */
const LONGEST_WAIT_SECONDS = 50;
/** Maximum length of a result. The rest can be read with `offset`. */
const TEXT_CHARACTERS = 4_000;

const Name = SessionName.describe('The name of the session, unique in its project');
const ProjectDir = z.string().startsWith('/').max(4096).describe('Absolute path of the project');
const Mode = z
  .enum(['sync', 'async', 'callback'])
  .default('sync')
  .describe(
    'sync: wait up to 50 s for the result. async: return immediately. callback: return immediately, and get a prompt when it ends',
  );

/** A tool's answer: data for programs, and the same as text for models that read nothing else. */
function answer(value: Record<string, unknown>) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(value, null, 2) }], structuredContent: value };
}

/** The tools with which an agent starts other agents, watches them and reads their results. */
export function createMcpServer(backend: McpBackend, { version }: { version: string }): McpServer {
  const server = new McpServer(
    { name: 'groundcontrol', version },
    {
      instructions:
        "Start other coding agents and collect their results. Give each a clear, complete prompt: they can't see this conversation.",
    },
  );

  server.registerTool(
    'list_agent_blueprints',
    {
      description: 'List the saved agents that a session can be started from.',
      inputSchema: z.object({ project_dir: ProjectDir.optional() }),
      annotations: { readOnlyHint: true },
    },
    async ({ project_dir }) => {
      const agents = (await backend.blueprints(project_dir)).filter(({ isUsed }) => isUsed);
      return answer({ agents: agents.map(({ name, description, scope }) => ({ name, description, scope })) });
    },
  );

  server.registerTool(
    'list_agent_sessions',
    {
      description: 'List sessions that were started with these tools, newest first.',
      inputSchema: z.object({ project_dir: ProjectDir.optional() }),
      annotations: { readOnlyHint: true },
    },
    async ({ project_dir }) => answer({ sessions: (await backend.sessions(project_dir)).map(toStatus) }),
  );

  server.registerTool(
    'start_agent_session',
    {
      description: 'Start a new agent with its own task.',
      inputSchema: z.object({
        session_name: Name,
        agent: z.string().max(60).optional().describe('A blueprint from list_agent_blueprints'),
        prompt: z.string().min(1).max(200_000),
        project_dir: ProjectDir,
        mode: Mode,
        parameters: z.record(z.string(), z.unknown()).default({}).describe("The blueprint's parameters"),
        worktree: z.boolean().default(false).describe('Work in its own git worktree'),
        max_cost: z
          .number()
          .positive()
          .max(10_000)
          .optional()
          .describe('In dollars. It pauses and asks before it spends more'),
      }),
    },
    async ({ session_name, agent, prompt, project_dir, mode, parameters, worktree, max_cost }) => {
      const { id } = await backend.start({
        name: session_name,
        prompt,
        cwd: project_dir,
        parameters,
        callback: mode === 'callback',
        ...(agent === undefined ? {} : { blueprint: agent }),
        ...(worktree ? { worktree: {} } : {}),
        ...(max_cost === undefined ? {} : { budget: { dollars: max_cost } }),
      });
      return finishOrReport(backend, { id, project: undefined }, mode);
    },
  );

  server.registerTool(
    'resume_agent_session',
    {
      description: 'Send the next prompt to a finished session. It remembers everything it did.',
      inputSchema: z.object({
        session_name: Name,
        prompt: z.string().min(1).max(200_000),
        project_dir: ProjectDir.optional(),
        mode: z.enum(['sync', 'async']).default('sync').describe('sync: wait up to 50 s. async: return immediately'),
      }),
    },
    async ({ session_name, prompt, project_dir, mode }) => {
      const { id } = await backend.resume({ id: session_name, project: project_dir }, prompt);
      return finishOrReport(backend, { id, project: undefined }, mode);
    },
  );

  server.registerTool(
    'get_agent_session_status',
    {
      description: 'Whether a session is queued, running, waiting for the operator or finished.',
      inputSchema: z.object({ session_name: Name, project_dir: ProjectDir.optional() }),
      annotations: { readOnlyHint: true },
    },
    async (input) => answer(toStatus(await backend.session(refOf(input)))),
  );

  server.registerTool(
    'get_agent_session_result',
    {
      description: 'The result of a session: its last answer, and JSON if its blueprint has a result schema.',
      inputSchema: z.object({
        session_name: Name,
        project_dir: ProjectDir.optional(),
        offset: z.number().int().min(0).default(0).describe('Where to continue reading a long result'),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ offset, ...input }) => answer(toResult(await backend.result(refOf(input)), offset)),
  );

  server.registerTool(
    'wait_for_any',
    {
      description: 'Wait until one of these sessions has finished, for at most 50 s. Call it again to wait longer.',
      inputSchema: z.object({
        session_names: z.array(Name).min(1).max(50),
        project_dir: ProjectDir.optional(),
        timeout_seconds: z.number().min(0).max(LONGEST_WAIT_SECONDS).default(LONGEST_WAIT_SECONDS),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ session_names, project_dir, timeout_seconds }) => {
      const refs = session_names.map((id) => ({ id, project: project_dir }));
      const sessions = await backend.wait(refs, { any: true, timeoutSeconds: timeout_seconds });
      const finished = sessions.filter(({ lifecycle }) => isFinished(lifecycle));
      return answer({ finished: finished.map(({ name }) => name), sessions: sessions.map(toStatus) });
    },
  );

  server.registerTool(
    'stop_agent_session',
    {
      description: 'Stop a session that you started.',
      inputSchema: z.object({ session_name: Name, project_dir: ProjectDir.optional() }),
      annotations: { destructiveHint: true },
    },
    async (input) => answer(toStatus(await backend.stop(refOf(input)))),
  );

  server.registerTool(
    'delete_agent_session',
    {
      description: 'Forget a finished session that you started, which frees its name. Its transcript stays.',
      inputSchema: z.object({ session_name: Name, project_dir: ProjectDir.optional() }),
      annotations: { destructiveHint: true },
    },
    async (input) => {
      await backend.remove(refOf(input));
      return answer({ deleted: input.session_name });
    },
  );

  return server;
}

const refOf = ({
  session_name,
  project_dir,
}: {
  session_name: string;
  project_dir?: string | undefined;
}): SessionRef => ({
  id: session_name,
  project: project_dir,
});

async function finishOrReport(backend: McpBackend, ref: SessionRef, mode: 'sync' | 'async' | 'callback') {
  if (mode !== 'sync') return answer(toStatus(await backend.session(ref)));
  const [session] = await backend.wait([ref], { any: false, timeoutSeconds: LONGEST_WAIT_SECONDS });
  if (session && isFinished(session.lifecycle)) return answer(toResult(await backend.result(ref), 0));
  const status = toStatus(session ?? (await backend.session(ref)));
  return answer({ ...status, next: 'It is still running. Call wait_for_any, then get_agent_session_result.' });
}

function toStatus({ id, name, lifecycle, waitsFor, error, blueprint, parentId, cwd, spent }: OrchestratedSession) {
  return {
    session_name: name,
    session_id: id,
    status: lifecycle,
    ...(waitsFor === null ? {} : { waits_for: waitsFor }),
    ...(error === null ? {} : { error }),
    ...(blueprint === null ? {} : { agent: blueprint }),
    ...(parentId === null ? {} : { parent_id: parentId }),
    project_dir: cwd,
    cost_usd: spent.dollars,
  };
}

/** Part of a long answer, and where the next part starts, so ten children don't fill their parent's context. */
function toResult({ id, name, lifecycle, text, json, problems, error, spent }: SessionResult, offset: number) {
  const whole = text ?? '';
  const end = offset + TEXT_CHARACTERS;
  return {
    session_name: name,
    session_id: id,
    status: lifecycle,
    result: whole.slice(offset, end),
    ...(end < whole.length ? { next_offset: end, total_characters: whole.length } : {}),
    ...(json === undefined ? {} : { json }),
    ...(problems.length === 0 ? {} : { problems }),
    ...(error === null ? {} : { error }),
    cost_usd: spent.dollars,
  };
}
