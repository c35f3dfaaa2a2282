import { expect, test } from 'vitest';
import type { JournalEvent } from '../../journal/journal.ts';
import type { Session } from '../../sessions/session.ts';
import { transition } from './transition-for-test.ts';

let seq = 0;
const event = (source: JournalEvent['source'], name: string, payload: Record<string, unknown> = {}): JournalEvent => ({
  seq: ++seq,
  at: 1_700_000_000_000 + seq,
  sessionId: 's',
  source,
  name,
  payload: { session_id: 's', ...(source === 'hook' ? { hook_event_name: name } : {}), ...payload },
});
const hook = (name: string, payload?: Record<string, unknown>) => event('hook', name, payload);
const watch = (name: string, payload?: Record<string, unknown>) => event('watch', name, payload);
const control = (name: string, payload?: Record<string, unknown>) => event('control', name, payload);

const prompt = hook('UserPromptSubmit', { prompt: 'Add auth' });
const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' };

test.each<[string, JournalEvent[], boolean]>([
  ['at its start', [hook('SessionStart', { source: 'startup' })], true],
  ['with a prompt', [hook('Stop'), prompt], false],
  ['at its end', [prompt, hook('Stop')], true],
  [
    'at its end, with work left in the background',
    [prompt, hook('Stop', { background_tasks: [{ type: 'shell' }] })],
    true,
  ],
  ['when the model request failed', [prompt, hook('StopFailure', { error: 'rate_limit' })], true],
  ['when a tool failed', [prompt, hook('PreToolUse', call), hook('PostToolUseFailure', call)], false],
  ['at a dialog', [prompt, hook('PreToolUse', call), hook('PermissionRequest', call)], false],
  ['at work without a prompt of its own', [hook('Stop'), hook('PreToolUse', call)], false],
  ['when only a subagent works', [hook('Stop'), hook('PreToolUse', { ...call, agent_id: 'a' })], true],
  ['interrupted at the keyboard', [prompt, watch('status.corrected', { status: 'idle' })], true],
  ['at a dialog that only its file reports', [hook('Stop'), watch('status.corrected', { status: 'waiting' })], false],
  ['found idle, before any hook', [watch('process.seen', { pid: 1, status: 'idle' })], true],
  ['found busy, before any hook', [watch('process.seen', { pid: 1, status: 'busy' })], false],
  ['found by its process while at work', [prompt, watch('process.seen', { pid: 1, status: 'idle' })], false],
  ['in a compaction that it began', [hook('Stop'), hook('PreCompact', { trigger: 'manual' })], false],
  [
    'after a compaction that it began',
    [
      hook('Stop'),
      hook('PreCompact', { trigger: 'manual' }),
      hook('SessionStart', { source: 'compact' }),
      hook('PostCompact', { trigger: 'manual' }),
    ],
    true,
  ],
  [
    'after a compaction inside a turn',
    [
      prompt,
      hook('PreCompact', { trigger: 'auto' }),
      hook('SessionStart', { source: 'compact' }),
      hook('PostCompact', { trigger: 'auto' }),
    ],
    false,
  ],
  ['with a prompt of ours on its way', [hook('Stop'), control('prompt.delivered', { text: 'x', queued: 0 })], false],
  [
    'with one that did not arrive',
    [
      hook('Stop'),
      control('prompt.delivered', { text: 'x', queued: 0 }),
      control('prompt.returned', { text: 'x', queued: 1 }),
    ],
    true,
  ],
  [
    'stopped by us',
    [prompt, control('session.stopped', { stop: { state: 'stopped', receipt: { leftPids: [] } } })],
    true,
  ],
  ['reminded that it waits', [prompt, hook('Notification', { notification_type: 'idle_prompt' })], true],
])('%s', (_when, events, expected) => {
  let session: Session | undefined;
  for (const one of events) session = transition(session, one);
  expect(session?.betweenTurns).toBe(expected);
});
