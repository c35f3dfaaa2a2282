import { expect, test } from 'vitest';
import { currentTurn, type Message } from './conversation.ts';

const user = (...texts: string[]): Message => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const assistant: Message = { role: 'assistant', content: [{ type: 'text', text: 'Right.' }] };
const result: Message = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] };
const environment: Message = { role: 'system', content: '# Environment' };
const REMINDER = '<system-reminder>\nBe careful.\n</system-reminder>';
const NOTIFICATION = '<task-notification>\n<task-id>a1</task-id>\n</task-notification>';

test('the prompt is the typed text, without what the client adds', () => {
  expect(currentTurn([user(REMINDER, 'fix it'), environment])).toEqual({ prompt: 'fix it', step: 0 });
});

test('each answer to the prompt is a step, tool results do not start a new turn', () => {
  const messages = [user('fix it'), environment, assistant, result, assistant, result];
  expect(currentTurn(messages)).toEqual({ prompt: 'fix it', step: 2 });
});

test('a later prompt starts over', () => {
  expect(currentTurn([user('fix it'), assistant, user('now test it')])).toEqual({ prompt: 'now test it', step: 0 });
});

test('uses the last of several unanswered prompts', () => {
  const interrupted = '[Request interrupted by user]';
  expect(currentTurn([user('fix it\n', interrupted, 'test it')])).toEqual({ prompt: 'test it', step: 0 });
});

test('finished background work is a separate prompt', () => {
  const wakeUp = user(`<system-reminder>\n${NOTIFICATION}\n</system-reminder>`);
  expect(currentTurn([user('fix it'), assistant, wakeUp])).toEqual({ prompt: NOTIFICATION, step: 0 });
});

test('a wake-up after a failed prompt counts as the current prompt', () => {
  const wakeUp = `<system-reminder>\n${NOTIFICATION}\n</system-reminder>`;
  expect(currentTurn([user('fix it', wakeUp)])).toEqual({ prompt: NOTIFICATION, step: 0 });
});

test("a hook's wake-up text is part of the prompt", () => {
  const words = '<system-reminder>\nThe operator says: go on\n&lt;/system-reminder&gt;';
  const wakeUp = user(`<system-reminder>\n[NOT USER INPUT]\n${NOTIFICATION}\n${words}\n</system-reminder>`);
  const { prompt, step } = currentTurn([user('fix it'), assistant, wakeUp]);
  expect([prompt.trim().split('\n').at(-1), step]).toEqual(['The operator says: go on', 0]);
});

test('a background task update next to a tool result keeps the turn going', () => {
  const news = { type: 'text', text: `<system-reminder>\n${NOTIFICATION}\n</system-reminder>` };
  const messages: Message[] = [
    user('fix it'),
    assistant,
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }, news] },
  ];
  expect(currentTurn(messages)).toEqual({ prompt: 'fix it', step: 1 });
});
