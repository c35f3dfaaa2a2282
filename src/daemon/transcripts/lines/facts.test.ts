import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addLine, cacheWarmUntil, emptyFacts, type Facts, titleOf } from './facts.ts';
import type { Line } from './line.ts';

/** The lines are shortened from what Claude Code 2.1.325 writes. */
const at = (second: number) => new Date(Date.UTC(2026, 10, 15, 12, 0, second)).toISOString();
const ms = (second: number) => Date.UTC(2026, 10, 15, 12, 0, second);
const place = { cwd: '/work/app', gitBranch: 'main', version: '2.1.325', isSidechain: false };

function prompt(text: string, second = 0, more: Line = {}): Line {
  const message = { role: 'user', content: text };
  return { type: 'user', uuid: `prompt-${text}-${second}`, message, timestamp: at(second), ...place, ...more };
}

function usage(input: number, output: number, read = 0, written5m = 0, written1h = 0): Line {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written5m + written1h,
    cache_creation: { ephemeral_5m_input_tokens: written5m, ephemeral_1h_input_tokens: written1h },
  };
}

let answers = 0;
function answer(content: Line[], second = 1, more: Line = {}, message: Line = {}): Line {
  const id = `msg-${++answers}`;
  return {
    type: 'assistant',
    message: { id, role: 'assistant', model: 'claude-opus-5-5', content, usage: usage(100, 20), ...message },
    timestamp: at(second),
    ...place,
    ...more,
  };
}

const call = (id: string, name: string, input: Line = {}): Line => ({ type: 'tool_use', id, name, input });

function result(id: string, toolUseResult: unknown, more: Line = {}): Line {
  const content = [{ type: 'tool_result', tool_use_id: id, content: 'ok', ...(more.block as Line) }];
  return { type: 'user', message: { role: 'user', content }, toolUseResult, timestamp: at(2), ...place };
}

function read(lines: Line[], facts: Facts = emptyFacts()): Facts {
  for (const line of lines) addLine(facts, line);
  return facts;
}

test("counts only what a person wrote as prompts, not the client's own text", () => {
  const facts = read([
    prompt('<system-reminder>\nbe kind\n</system-reminder>', 0, { isMeta: true }),
    prompt('<command-name>/review</command-name>\n<command-args>12 now</command-args>', 0),
    prompt('first thing', 1, { origin: { kind: 'human' }, permissionMode: 'plan' }),
    prompt('[Request interrupted by user]', 2),
    prompt('[Request interrupted by user for tool use]', 2),
    prompt('<bash-input>ls</bash-input>', 2),
    prompt('<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>', 2),
    prompt('Stop hook feedback:\ngo on', 3, { isMeta: true }),
    prompt('<local-command-stdout>ok</local-command-stdout>', 3),
    prompt('This session is being continued from a previous conversation', 3, { isCompactSummary: true }),
    prompt('from a channel', 3, { origin: { kind: 'channel' } }),
    {
      type: 'attachment',
      uuid: 'queued',
      attachment: { type: 'queued_command', prompt: 'and also this', origin: { kind: 'human' } },
      timestamp: at(4),
    },
    prompt('<task-notification>\n<task-id>a1</task-id>', 5, { origin: { kind: 'task-notification' } }),
  ]);
  expect(facts).toMatchObject({
    firstPrompt: 'first thing',
    firstCommand: '/review 12 now',
    lastPrompt: 'and also this',
    prompts: 2,
    permissionMode: 'plan',
    turnStartedAt: ms(5),
    cwd: '/work/app',
    branch: 'main',
    startedAt: ms(0),
    lastAt: ms(5),
  });
});

test('prefers a user’s title over a generated one, and that over the first prompt', () => {
  const facts = emptyFacts();
  expect(titleOf(facts)).toBeNull();
  read([prompt('do it')], facts);
  expect(titleOf(facts)).toBe('do it');
  read([{ type: 'summary', summary: 'It was done' }], facts);
  expect(titleOf(facts)).toBe('It was done');
  read([{ type: 'ai-title', aiTitle: 'Doing it' }], facts);
  expect(titleOf(facts)).toBe('Doing it');
  read([{ type: 'custom-title', customTitle: 'my good name' }], facts);
  expect(titleOf(facts)).toBe('my good name');
});

test('reports the last input as the context, and the cache as warm from then on', () => {
  const facts = read([
    prompt('go'),
    answer([{ type: 'text', text: 'Hi' }], 10, {}, { usage: usage(1000, 5000, 10_000, 2000) }),
  ]);
  expect(facts).toMatchObject({ contextTokens: 13_000, model: 'claude-opus-5-5' });
  expect(cacheWarmUntil(facts)).toBe(ms(10) + 5 * 60_000);
  read([answer([], 20, {}, { usage: usage(1, 1, 12_000, 0, 500) })], facts);
  expect(cacheWarmUntil(facts)).toBe(ms(20) + 60 * 60_000);
  read([answer([], 30, {}, { usage: usage(1, 1, 12_500) })], facts);
  expect(cacheWarmUntil(facts), 'read again: kept for as long as it was written').toBe(ms(30) + 60 * 60_000);
  read([answer([], 40, {}, { model: '<synthetic>', usage: usage(0, 0) })], facts);
  expect(facts).toMatchObject({ contextTokens: 12_501, model: 'claude-opus-5-5' });
  read([{ type: 'system', subtype: 'compact_boundary', compactMetadata: { preTokens: 12_501 } }], facts);
  expect(facts.contextTokens).toBeNull();
  expect(cacheWarmUntil(facts)).toBeNull();
});

test('recognizes a larger context window by the requested model name', () => {
  const facts = read([
    answer([], 1, { requestedModel: 'claude-sonnet-4-5[1m]' }, { model: 'claude-sonnet-4-5-20250929' }),
  ]);
  expect(facts).toMatchObject({ model: 'claude-sonnet-4-5-20250929', requestedModel: 'claude-sonnet-4-5[1m]' });
});

test('TodoWrite replaces the list', () => {
  const todos = [
    { content: 'One', status: 'completed', activeForm: 'Doing one' },
    { content: 'Two', status: 'in_progress', activeForm: 'Doing two' },
  ];
  const facts = read([
    answer([call('t1', 'TodoWrite', { todos: [] })]),
    result('t1', { oldTodos: [], newTodos: [{ content: 'Zero', status: 'pending' }] }),
    answer([call('t2', 'TodoWrite', { todos })]),
    result('t2', { oldTodos: [], newTodos: todos }),
    answer([call('t3', 'TodoWrite', { todos: [] })]),
    result('t3', 'Error: No such tool available: TodoWrite', { block: { is_error: true } }),
  ]);
  expect(facts.items).toEqual([
    { id: '1', title: 'One', status: 'completed' },
    { id: '2', title: 'Two', status: 'in_progress' },
  ]);
});

test('TaskCreate and TaskUpdate modify the existing list', () => {
  const facts = read([
    answer([call('t1', 'TaskCreate', { subject: 'First' }), call('t2', 'TaskCreate', { subject: 'Second' })]),
    result('t1', { task: { id: '1', subject: 'First', description: 'x' } }),
    result('t2', { task: { id: '2', subject: 'Second' } }),
    answer([call('t3', 'TaskUpdate', { taskId: '1', status: 'in_progress' })]),
    result('t3', { success: true, taskId: '1', statusChange: { from: 'pending', to: 'in_progress' } }),
    answer([call('t4', 'TaskUpdate', { taskId: '2', status: 'deleted' })]),
    result('t4', { success: true, taskId: '2', statusChange: { from: 'pending', to: 'deleted' } }),
    answer([call('t5', 'TaskUpdate', { taskId: '1', subject: 'The first' })]),
    result('t5', { success: true, taskId: '1', updatedFields: ['subject'] }),
  ]);
  expect(facts.items).toEqual([{ id: '1', title: 'The first', status: 'in_progress' }]);
});

test('counts changed lines of files, from the patch if there is one', () => {
  const facts = read([
    answer([call('r', 'Read', { file_path: 'README.md' })]),
    result('r', { type: 'text', file: { filePath: 'README.md' } }),
    answer([call('e', 'Edit', { file_path: 'README.md', old_string: 'a', new_string: 'b' })]),
    result('e', { filePath: 'README.md', structuredPatch: [{ lines: ['-a', '+b', '+', '+c', ' d'] }] }),
    answer([call('w', 'Write', { file_path: '/tmp/new.txt', content: 'a\nb\nc\n' })]),
    result('w', { type: 'create', filePath: '/tmp/new.txt', content: 'a\nb\nc\n', structuredPatch: [] }),
    answer([call('o', 'Edit', { file_path: '/tmp/new.txt', old_string: 'a', new_string: 'x\ny' })]),
    result('o', undefined),
    answer([call('f', 'Edit', { file_path: '/tmp/other.txt', old_string: 'a', new_string: 'x' })]),
    result('f', 'Error: not found', { block: { is_error: true } }),
  ]);
  expect(facts.files).toEqual({
    '/work/app/README.md': { edits: 1, reads: 1, added: 3, removed: 1 },
    '/tmp/new.txt': { edits: 2, reads: 0, added: 5, removed: 1 },
  });
  expect(facts).toMatchObject({ linesAdded: 8, linesRemoved: 2, toolCounts: { Read: 1, Edit: 3, Write: 1 } });
});

test('identifies a subagent by the call that started it, and keeps its lines in old transcripts apart from the session', () => {
  const facts = read([
    prompt('delegate', 1),
    answer([call('a', 'Agent', { description: 'helper', prompt: 'do', subagent_type: 'Explore' })], 2),
    result('a', { isAsync: true, status: 'async_launched', agentId: 'a00e' }),
    prompt('do', 3, { isSidechain: true }),
    answer([call('b', 'Bash')], 4, { isSidechain: true }, { model: 'claude-haiku-4-5', usage: usage(9, 9, 9) }),
  ]);
  expect(facts.spawned).toEqual([{ id: 'a00e', type: 'Explore', description: 'helper', at: ms(2) }]);
  expect(facts).toMatchObject({ prompts: 1, lastPrompt: 'delegate', model: 'claude-opus-5-5', contextTokens: 100 });
  expect(facts.toolCounts).toEqual({ Agent: 1, Bash: 1 });
});

test("counts only a subagent's own lines in its transcript", () => {
  const facts = read(
    [prompt('do', 3, { isSidechain: true, agentId: 'a00e' }), answer([call('b', 'Bash')], 4, { isSidechain: true })],
    emptyFacts('a00e'),
  );
  expect(facts).toMatchObject({ firstPrompt: 'do', model: 'claude-opus-5-5', toolCounts: { Bash: 1 } });
});

test('counts a multi-line message and a duplicated line once', () => {
  const first = answer([{ type: 'text', text: 'I will' }]);
  const second = { ...first, message: { ...(first.message as Line), content: [call('c', 'Bash')] } };
  const facts = read([prompt('go'), prompt('go'), first, second, second]);
  expect(facts).toMatchObject({ messages: 2, prompts: 1, toolCounts: { Bash: 1 } });
});

test('counts unknown lines', () => {
  const facts = read([{ type: 'hologram' }, { type: 'hologram' }, { type: 'mode' }, {}, { type: '__proto__' }]);
  expect(facts.unknownLines).toMatchObject({ hologram: 2, '(no type)': 1 });
});

test('remembers requests whose usage the client does not record', () => {
  const facts = read([
    { type: 'system', subtype: 'compact_boundary', timestamp: at(3), compactMetadata: { postTokens: 5 } },
    answer([call('w', 'WebSearch')], 4),
    result('w', {}),
  ]);
  expect(facts.unwritten).toEqual([
    { at: ms(3), kind: 'compaction' },
    { at: ms(2), kind: 'web_search' },
  ]);
});

const anyLine = fc.oneof(
  fc.constantFrom<Line>(
    prompt('one', 1),
    prompt('two', 5),
    answer([call('x1', 'Edit', { file_path: 'a', old_string: '1', new_string: '2' })], 2),
    result('x1', { structuredPatch: [{ lines: ['-1', '+2'] }] }),
    answer([call('x2', 'TaskCreate', { subject: 's' })], 3),
    result('x2', { task: { id: '7', subject: 's' } }),
    answer([], 6, {}, { usage: usage(1, 2, 3, 0, 5) }),
    { type: 'ai-title', aiTitle: 'T' },
  ),
  fc.record(
    {
      type: fc.oneof(fc.constantFrom('user', 'assistant', 'attachment', 'system', 'summary'), fc.anything()),
      message: fc.oneof(fc.anything(), fc.record({ content: fc.anything(), usage: fc.anything(), id: fc.anything() })),
      toolUseResult: fc.anything(),
      attachment: fc.anything(),
      timestamp: fc.anything(),
      cwd: fc.anything(),
    },
    { requiredKeys: [] },
  ),
);

test('read in one go, or stopped after any line and resumed: the same result, whatever the lines contain', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 30 }), fc.nat(30), (lines, cut) => {
      const kept = JSON.parse(JSON.stringify(read(lines.slice(0, cut)))) as Facts;
      expect(read(lines.slice(cut), kept)).toEqual(read(lines));
    }),
  );
});
