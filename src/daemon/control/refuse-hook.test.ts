import { expect, it } from 'vitest';
import { refuseHook } from './refuse-hook.ts';

const end = { continue: false, stopReason: 'Enough' };

it.each([
  [
    'PreToolUse',
    {
      ...end,
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Enough',
      },
    },
  ],
  ['PostToolUse', end],
  ['PostToolBatch', end],
  ['Stop', end],
  ['SubagentStop', end],
  [
    'PermissionRequest',
    {
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: 'Enough', interrupt: true },
      },
    },
  ],
  ['Elicitation', { hookSpecificOutput: { hookEventName: 'Elicitation', action: 'cancel' } }],
  ['UserPromptSubmit', { decision: 'block', reason: 'Enough' }],
  ['PostToolUseFailure', undefined],
  ['SessionEnd', undefined],
  ['NotYetInvented', undefined],
])('%s', (hook_event_name, answer) => {
  expect(refuseHook({ session_id: 's', hook_event_name, prompt: 'Go on' }, 'Enough')).toEqual(answer);
});

it('does not show the person what the client submits by itself', () => {
  const prompt = '<task-notification>\n<task-id>a1</task-id>';
  expect(refuseHook({ session_id: 's', hook_event_name: 'UserPromptSubmit', prompt }, 'Enough')).toEqual({
    decision: 'block',
    reason: 'Enough',
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', suppressOriginalPrompt: true },
  });
});
