import type { Client } from '../client/client.ts';
import { listAgents } from '../contract/routes/agents.ts';
import {
  cancelSession,
  deleteOrchestrated,
  getOrchestrated,
  getSessionResult,
  listOrchestrated,
  resumeSession,
  startSession,
  waitForSessions,
} from '../contract/routes/orchestration.ts';
import type { McpBackend, SessionRef } from './backend.ts';

/** Works through the daemon's API, with whatever credential the client has. */
export function clientBackend(connect: () => Promise<Client>): McpBackend {
  const place = ({ id, project }: SessionRef) => ({ params: { id }, query: project === undefined ? {} : { project } });
  return {
    blueprints: async (project) => (await (await connect()).call(listAgents, { query: { project } })).agents,
    sessions: async (project) => (await (await connect()).call(listOrchestrated, { query: { project } })).sessions,
    start: async (body) => (await connect()).call(startSession, { body }),
    resume: async (ref, prompt) => (await connect()).call(resumeSession, { ...place(ref), body: { prompt } }),
    session: async (ref) => (await connect()).call(getOrchestrated, place(ref)),
    result: async (ref) => (await connect()).call(getSessionResult, place(ref)),
    async wait(refs, { any, timeoutSeconds }) {
      const sessions = refs.map(({ id }) => id).join(',');
      const project = refs[0]?.project;
      const query = { sessions, project, any: any ? ('true' as const) : ('false' as const), timeoutSeconds };
      return (await (await connect()).call(waitForSessions, { query })).sessions;
    },
    stop: async (ref) => (await connect()).call(cancelSession, place(ref)),
    async remove(ref) {
      await (await connect()).call(deleteOrchestrated, place(ref));
    },
  };
}
