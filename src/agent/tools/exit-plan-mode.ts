import { z } from 'zod';
import { defineTool, ok } from './tool.ts';

/** `leavePlanMode` is only called after the operator accepts the plan. */
export function exitPlanModeTool(leavePlanMode: () => void) {
  return defineTool({
    name: 'ExitPlanMode',
    description: 'In plan mode: show the operator your plan and ask to carry it out.',
    input: z.object({ plan: z.string().min(1).describe('The plan, as Markdown') }),
    gate: 'free',
    permission: 'plan',
    async run() {
      leavePlanMode();
      return ok('The operator accepted the plan. Carry it out.');
    },
  });
}
