import { expect, it } from 'vitest';
import { piecesOf } from './line-pieces.ts';

const assistant = (...content: unknown[]) => ({ type: 'assistant', message: { role: 'assistant', content } });
const user = (content: unknown, rest = {}) => ({ type: 'user', message: { role: 'user', content }, ...rest });
const none = { tool: null, toolUseId: null };

it('takes what a person asked', () => {
  expect(piecesOf(user('fix it'))).toEqual([{ block: 0, kind: 'prompt', ...none, text: 'fix it' }]);
  expect(piecesOf(user('a reminder', { isMeta: true }))).toEqual([]);
});

it('takes what the model said, thought and called, each by its block', () => {
  expect(
    piecesOf(
      assistant(
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: '  ' },
        { type: 'text', text: 'done' },
        { type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: 'a.ts', edits: [{ new_string: 'b' }], n: 1 } },
        { type: 'tool_use', id: 't2', name: 'TaskList', input: {} },
      ),
    ),
  ).toEqual([
    { block: 0, kind: 'thinking', ...none, text: 'hm' },
    { block: 2, kind: 'answer', ...none, text: 'done' },
    { block: 3, kind: 'tool_input', tool: 'Edit', toolUseId: 't1', text: 'a.ts\nb' },
    { block: 4, kind: 'tool_input', tool: 'TaskList', toolUseId: 't2', text: '' },
  ]);
});

it('takes what a tool gave back, as a text or in parts', () => {
  const image = { type: 'image', source: { data: 'AAAA' } };
  expect(
    piecesOf(
      user([
        { type: 'tool_result', tool_use_id: 't1', content: 'ok' },
        {
          type: 'tool_result',
          tool_use_id: 't2',
          content: [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }],
        },
        { type: 'tool_result', tool_use_id: 't3', content: [image] },
      ]),
    ),
  ).toEqual([
    { block: 0, kind: 'tool_output', tool: null, toolUseId: 't1', text: 'ok' },
    { block: 1, kind: 'tool_output', tool: null, toolUseId: 't2', text: 'a\n\nb' },
  ]);
});

it('bears lines of any shape', () => {
  for (const line of [
    {},
    { type: 'assistant' },
    { type: 'user', message: null },
    { type: 'x', message: { content: 3 } },
  ])
    expect(piecesOf(line)).toEqual([]);
});
