import { z } from 'zod';
import { defineTool, failed, ok } from './tool.ts';

const LONGEST_REPORT = 24_000;

export interface SubagentRun {
  callId: string;
  type: string;
  description: string;
  prompt: string;
  signal: AbortSignal;
}

export type RunSubagent = (run: SubagentRun) => Promise<{ text: string; error?: string }>;

/** A subagent has its own context and no Task tool: one level is enough and rules out a runaway tree. */
export function taskTool(runSubagent: RunSubagent) {
  return defineTool({
    name: 'Task',
    description:
      'Give a self-contained task to a subagent with its own context. It sees only the prompt, works with the same tools, and answers with one report. Several tasks in one reply run in parallel.',
    input: z.object({
      description: z.string().min(1).max(200).describe('The task in three to five words'),
      prompt: z.string().min(1).describe('Everything the subagent needs to know, and what to report'),
      subagent_type: z.string().max(100).optional().describe('A name for the kind of work, such as explore or review'),
    }),
    gate: 'free',
    permission: 'none',
    async run({ description, prompt, subagent_type: type = 'general' }, { callId, signal }) {
      const { text, error } = await runSubagent({ callId, type, description, prompt, signal });
      if (error !== undefined)
        return failed(`The subagent failed: ${error}${text ? `\n\nIts last words:\n${cap(text)}` : ''}`);
      return ok(cap(text) || 'The subagent ended without a report.');
    },
  });
}

/** Several reports at once must not fill the parent's context. */
function cap(text: string): string {
  return text.length > LONGEST_REPORT
    ? `${text.slice(0, LONGEST_REPORT)}\n[report cut off at ${LONGEST_REPORT} characters]`
    : text;
}
