import { z } from 'zod';
import {
  Blueprint,
  BlueprintCheck,
  BlueprintList,
  BlueprintPlace,
  BlueprintProblems,
  BlueprintRendered,
  BlueprintRenderRequest,
  BlueprintSave,
  BlueprintScope,
  WritableScope,
} from '../blueprints.ts';
import { NOTHING, route } from './route.ts';

const tag = 'agents';
const ByName = z.object({ name: z.string() });

export const listAgents = route({
  method: 'GET',
  path: '/api/agents',
  tag,
  query: BlueprintPlace,
  answer: BlueprintList,
  // agents may see which blueprints they can start
  role: 'agent',
});
export const getAgent = route({
  method: 'GET',
  path: '/api/agents/:name',
  tag,
  params: ByName,
  query: BlueprintPlace.extend({ scope: BlueprintScope.optional() }),
  answer: Blueprint,
});
export const saveAgent = route({
  method: 'PUT',
  path: '/api/agents/:name',
  tag,
  params: ByName,
  body: BlueprintSave,
  answer: Blueprint,
});
export const removeAgent = route({
  method: 'DELETE',
  path: '/api/agents/:name',
  tag,
  params: ByName,
  query: BlueprintPlace.extend({ scope: WritableScope, expected: z.string() }),
  ...NOTHING,
});
export const checkAgent = route({
  method: 'POST',
  path: '/api/agents/check',
  tag,
  body: BlueprintCheck,
  answer: BlueprintProblems,
});
export const renderAgent = route({
  method: 'POST',
  path: '/api/agents/:name/render',
  tag,
  params: ByName,
  body: BlueprintRenderRequest,
  answer: BlueprintRendered,
});
