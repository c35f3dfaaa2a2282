import { expect, it } from 'vitest';
import { refuseHook } from './refuse-hook.ts';

const refusal = { message: 'Enough', endsTurn: true };
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
  expect(refuseHook({ session_id: 's', hook_event_name, prompt: 'Go on' }, refusal)).toEqual(answer);
});

it.each([
  ['PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'Enough' }],
  ['PermissionRequest', { decision: { behavior: 'deny', message: 'Enough', interrupt: false } }],
  ['PostToolUse', undefined],
  ['PostToolBatch', undefined],
  ['Stop', undefined],
])('%s, if an ended turn would look like a success', (hook_event_name, output) => {
  const answer = output && { hookSpecificOutput: { hookEventName: hook_event_name, ...output } };
  expect(refuseHook({ session_id: 's', hook_event_name }, { ...refusal, endsTurn: false })).toEqual(answer);
});

it('does not show the user what the client submits on its own', () => {
  const prompt = '<task-notification>\n<task-id>a1</task-id>';
  expect(refuseHook({ session_id: 's', hook_event_name: 'UserPromptSubmit', prompt }, refusal)).toEqual({
    decision: 'block',
    reason: 'Enough',
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', suppressOriginalPrompt: true },
  });
});
