import { Prompt, PromptList, PromptRequest } from '../prompts.ts';
import { ById, NOTHING, route } from './route.ts';

const tag = 'prompts';

export const sendPrompt = route({
  method: 'POST',
  path: '/api/sessions/:id/prompt',
  tag,
  params: ById,
  body: PromptRequest,
  answer: Prompt,
});
export const listPrompts = route({
  method: 'GET',
  path: '/api/sessions/:id/prompts',
  tag,
  params: ById,
  answer: PromptList,
});
export const cancelPrompt = route({ method: 'DELETE', path: '/api/prompts/:id', tag, params: ById, ...NOTHING });
