import { isFinished, type OrchestratedSession } from '../../contract/orchestration.ts';
import type { Prompt, PromptRequest } from '../../contract/prompts.ts';
import type { Prompts } from '../control/prompts.ts';
import type { Orchestrator } from './orchestrator.ts';

export interface SentMessage {
  prompt: Prompt | null;
  session: OrchestratedSession | null;
}

/** Sends a message to a session. One without a process is resumed; any other gets it as a prompt when its turn ends. */
export async function sendMessage(
  sessionId: string,
  request: PromptRequest,
  by: string,
  { orchestrator, prompts }: { orchestrator: Orchestrator; prompts: Prompts },
): Promise<SentMessage> {
  const started = orchestrator.find(sessionId);
  if (started && isFinished(started.lifecycle) && !started.hasRunner) {
    const session = await orchestrator.resume(sessionId, { prompt: request.text, logging: false }, { by });
    return { prompt: null, session };
  }
  return { prompt: await prompts.send(sessionId, request, by), session: null };
}
