import { z } from 'zod';
import {
  ForkRequest,
  OrchestratedList,
  OrchestratedQuery,
  OrchestratedSession,
  ResumeRequest,
  RewindRequest,
  Rewound,
  SessionResult,
  SessionSettings,
  StartSpec,
  WaitAnswer,
  WaitQuery,
} from '../orchestration.ts';
import { Prompt, PromptRequest } from '../prompts.ts';
import { Enrolled, Enrollment, RunnerSync, RunnerSynced } from '../runners.ts';
import { NOTHING, route } from './route.ts';

const tag = 'orchestration';

/** A session by id or by name. If several have the name, `project` says which one. */
const Ref = z.object({ id: z.string().min(1).max(200) });
const InProject = z.object({ project: z.string().max(4096).optional() });

/** An agent may call these with its own token, for its own children. */
const forAgents = { role: 'agent' } as const;

export const startSession = route({
  method: 'POST',
  path: '/api/sessions',
  tag,
  body: StartSpec,
  status: 201,
  answer: OrchestratedSession,
  ...forAgents,
});
export const listOrchestrated = route({
  method: 'GET',
  path: '/api/orchestrated',
  tag,
  query: OrchestratedQuery,
  answer: OrchestratedList,
  ...forAgents,
});
export const getOrchestrated = route({
  method: 'GET',
  path: '/api/orchestrated/:id',
  tag,
  params: Ref,
  query: InProject,
  answer: OrchestratedSession,
  ...forAgents,
});
export const waitForSessions = route({
  method: 'GET',
  path: '/api/orchestrated/wait',
  tag,
  query: WaitQuery,
  answer: WaitAnswer,
  ...forAgents,
});
export const resumeSession = route({
  method: 'POST',
  path: '/api/sessions/:id/resume',
  tag,
  params: Ref,
  query: InProject,
  body: ResumeRequest,
  answer: OrchestratedSession,
  ...forAgents,
});
export const forkSession = route({
  method: 'POST',
  path: '/api/sessions/:id/fork',
  tag,
  params: Ref,
  query: InProject,
  body: ForkRequest,
  status: 201,
  answer: OrchestratedSession,
});
export const rewindSession = route({
  method: 'POST',
  path: '/api/sessions/:id/rewind',
  tag,
  params: Ref,
  query: InProject,
  body: RewindRequest,
  answer: Rewound,
});
/** Works for any session: one without a process is resumed, any other gets the prompt when its turn ends. */
export const sendMessage = route({
  method: 'POST',
  path: '/api/sessions/:id/messages',
  tag,
  params: Ref,
  query: InProject,
  body: PromptRequest,
  answer: z.object({
    prompt: Prompt.nullable().describe('null: it was resumed'),
    session: OrchestratedSession.nullable().describe('The resumed session'),
  }),
});
export const getSessionResult = route({
  method: 'GET',
  path: '/api/sessions/:id/result',
  tag,
  params: Ref,
  query: InProject,
  answer: SessionResult,
  ...forAgents,
});
export const changeSessionSettings = route({
  method: 'PATCH',
  path: '/api/sessions/:id/settings',
  tag,
  params: Ref,
  query: InProject,
  body: SessionSettings,
  answer: OrchestratedSession,
});
export const archiveSession = route({
  method: 'POST',
  path: '/api/sessions/:id/archive',
  tag,
  params: Ref,
  query: InProject,
  answer: OrchestratedSession,
});
export const cancelSession = route({
  method: 'POST',
  path: '/api/sessions/:id/cancel',
  tag,
  params: Ref,
  query: InProject,
  answer: OrchestratedSession,
  ...forAgents,
});
/** Forgets it and frees its name. Its transcript stays on disk. */
export const deleteOrchestrated = route({
  method: 'DELETE',
  path: '/api/orchestrated/:id',
  tag,
  params: Ref,
  query: InProject,
  ...NOTHING,
  ...forAgents,
});

const ByRunner = z.object({ id: z.string().min(1).max(100) });
const forRunners = { role: 'runner', tag: 'runners' } as const;

/** A session running in a terminal registers itself. From then on it is a session like any other. */
export const enrollRunner = route({
  method: 'POST',
  path: '/api/runners',
  tag: 'runners',
  body: Enrollment,
  answer: Enrolled,
});
export const syncRunner = route({
  method: 'POST',
  path: '/api/runners/:id/sync',
  params: ByRunner,
  body: RunnerSync,
  bodyLimit: 64 * 1024 * 1024,
  answer: RunnerSynced,
  ...forRunners,
});
/** Commands, one JSON object per line, until either side ends. */
export const readRunnerCommands = route({
  method: 'GET',
  path: '/api/runners/:id/commands',
  params: ByRunner,
  ...forRunners,
});
