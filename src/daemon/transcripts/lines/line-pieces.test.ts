import { expect, it } from 'vitest';
import { piecesOf } from './line-pieces.ts';

const assistant = (...content: unknown[]) => ({ type: 'assistant', message: { role: 'assistant', content } });
const user = (content: unknown, rest = {}) => ({ type: 'user', message: { role: 'user', content }, ...rest });
const none = { tool: null, toolUseId: null };

it('reads what the operator asked', () => {
  expect(piecesOf(user('fix it'))).toEqual([{ block: 0, kind: 'prompt', ...none, text: 'fix it' }]);
});

it('indexes the client’s own texts by kind', () => {
  const of = (line: Record<string, unknown>) => piecesOf(line).map(({ kind, text }) => [kind, text]);
  expect(of(user('a reminder', { isMeta: true }))).toEqual([['notice', 'a reminder']]);
  expect(of(user('We did things.', { isCompactSummary: true }))).toEqual([['summary', 'We did things.']]);
  expect(of({ type: 'summary', summary: 'Parser work' })).toEqual([['summary', 'Parser work']]);
  const command = '<command-name>/review</command-name>\n<command-args>the quokka branch</command-args>';
  expect(of(user(command))).toEqual([['command', '/review the quokka branch']]);
  expect(of(user('<bash-input>ls quokka</bash-input>'))).toEqual([['command', '! ls quokka']]);
  expect(of(user('<bash-stdout>quokka.txt</bash-stdout><bash-stderr></bash-stderr>'))).toEqual([
    ['command', 'quokka.txt'],
  ]);
  expect(of({ type: 'system', subtype: 'informational', content: 'A quokka came by' })).toEqual([
    ['notice', 'A quokka came by'],
  ]);
  const file = { type: 'file', filename: 'quokka.md', displayPath: 'docs/quokka.md' };
  expect(of({ type: 'attachment', attachment: file, rendered: [{ content: 'All about it' }] })).toEqual([
    ['attachment', 'file: docs/quokka.md\nAll about it'],
  ]);
  expect(of({ type: 'attachment', attachment: { type: 'prompt_snapshot', text: 'long' } })).toEqual([]);
});

it('indexes server-side tools and their results', () => {
  const found = { type: 'web_search_result', title: 'Quokkas', url: 'https://example.org/q', encrypted_content: 'xx' };
  expect(
    piecesOf(
      assistant(
        { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'quokka' } },
        { type: 'web_search_tool_result', tool_use_id: 's1', content: [found] },
      ),
    ),
  ).toEqual([
    { block: 0, kind: 'tool_input', tool: 'web_search', toolUseId: 's1', text: 'quokka' },
    { block: 1, kind: 'tool_output', tool: null, toolUseId: 's1', text: 'Quokkas https://example.org/q' },
  ]);
});

it('indexes what the model said, thought and called, block by block', () => {
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

it("reads a tool's result, as text or in parts", () => {
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
    { block: 1, kind: 'tool_output', tool: null, toolUseId: 't2', text: 'a\nb' },
  ]);
});

it('accepts lines of any shape', () => {
  for (const line of [
    {},
    { type: 'assistant' },
    { type: 'user', message: null },
    { type: 'x', message: { content: 3 } },
  ])
    expect(piecesOf(line)).toEqual([]);
});
