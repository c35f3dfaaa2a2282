import { describe, expect, it } from 'vitest';
import { MessagesQuery } from '../../../contract/messages.ts';
import { Prices } from '../prices/prices.ts';
import { sourceOf } from './byte-source-for-test.ts';
import { PAGE_LIMITS, WHOLE } from './limits.ts';
import { readPage } from './read-page.ts';
import { toMessage } from './to-message.ts';
import { answer, call, line, prompt, result } from './transcript-for-test.ts';

function read(text: string, limits = PAGE_LIMITS) {
  const { drafts } = readPage(sourceOf(text), MessagesQuery.parse({ limit: 500 }), { isSubagent: false });
  const agentOf = (id: string) => (id === 'running' ? 'a1' : null);
  return drafts.map((draft) => toMessage(draft, { limits, agentId: undefined, prices: new Prices(), agentOf }));
}
const only = (text: string, limits = PAGE_LIMITS) => read(text, limits)[0]?.parts[0];

describe('what the client writes for itself', () => {
  it.each([
    [
      '[Request interrupted by user for tool use]',
      {},
      'interrupted',
      'Request interrupted by user for tool use',
      false,
    ],
    ['<command-name>/review</command-name><command-args>12</command-args>', {}, 'command', '/review 12', false],
    ['<command-message>init</command-message>', {}, 'command', 'init', false],
    ['<local-command-stdout>Set model</local-command-stdout>', {}, 'command_output', 'Set model', true],
    ['<bash-input>ls</bash-input>', {}, 'command', '! ls', false],
    ['<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>', {}, 'command_output', 'a\nb', true],
    [
      '<task-notification><summary>Agent done</summary><result>42</result></task-notification>',
      {},
      'task',
      'Agent done\n\n42',
      true,
    ],
    ['Stop hook feedback:\nmore', { isMeta: true }, 'hook', 'Stop hook feedback:\nmore', true],
    ['<system-reminder>\nhm\n</system-reminder>', { isMeta: true }, 'system', 'hm', true],
    [
      'This session is being continued',
      { isCompactSummary: true },
      'compacted',
      'This session is being continued',
      true,
    ],
  ])('is a notice: %s', (content, fields, notice, text, isMeta) => {
    expect(read(prompt('p', content, fields))).toMatchObject([
      { role: 'user', isMeta, parts: [{ kind: 'notice', notice, text }] },
    ]);
  });

  it.each([
    [
      'compact_boundary',
      { compactMetadata: { trigger: 'auto', preTokens: 9 } },
      'compacted',
      'Conversation compacted (automatically, 9 tokens before)',
    ],
    [
      'api_error',
      { error: { status: 529, error: { error: { message: 'Overloaded' } } }, retryAttempt: 2 },
      'api_error',
      'API error 529, Overloaded, attempt 2',
    ],
    ['local_command', { content: '<local-command-stdout>ok</local-command-stdout>' }, 'command_output', 'ok'],
    ['informational', { content: 'By the way' }, 'system', 'By the way'],
    ['stop_hook_summary', { hookErrors: ['broken'] }, 'hook', 'broken'],
  ])('becomes a system line: %s', (subtype, fields, notice, text) => {
    expect(only(line('system', 's', { subtype, ...fields }))).toMatchObject({ notice, text });
  });

  it.each([
    line('system', 's', { subtype: 'turn_duration', durationMs: 5 }),
    line('system', 's', { subtype: 'stop_hook_summary', hookErrors: [] }),
    line('attachment', 'a', { attachment: { type: 'hook_success', content: '', stdout: '{}' } }),
    line('attachment', 'a', { attachment: { type: 'prompt_snapshot', systemPrompt: ['x'] } }),
    line('queue-operation', 'q', { operation: 'dequeue' }),
    line('user', 'u', { message: { role: 'user', content: [{ type: 'novelty' }] } }),
    prompt('side', 'chain', { isSidechain: true }),
  ])('has no text if there is nothing to show', (text) => expect(read(text)).toEqual([]));

  it('becomes attachments', () => {
    const attached = (attachment: object, fields = {}) => line('attachment', 'a', { attachment, ...fields });
    expect(read(attached({ type: 'queued_command', prompt: 'and this', commandMode: 'prompt' }))).toMatchObject([
      { role: 'user', isMeta: false, parts: [{ kind: 'text', text: 'and this' }] },
    ]);
    const blocked = { type: 'hook_blocking_error', hookName: 'Stop', blockingError: { blockingError: 'not yet' } };
    expect(only(attached(blocked))).toMatchObject({ notice: 'hook', text: 'Stop: not yet' });
    expect(only(attached({ type: 'hook_additional_context', content: ['a', 'b'] }))).toMatchObject({ text: 'a\nb' });
    const rendered = [{ content: '<system-reminder>Files</system-reminder>' }];
    expect(only(attached({ type: 'edited_text_file', filename: '/w/a' }, { rendered }))).toMatchObject({
      notice: 'attachment',
      text: 'edited text file: /w/a\nFiles',
    });
    expect(read(attached({}))).toMatchObject([{ isMeta: true }]);
  });
});

describe('a call', () => {
  const edit = (input: object, more = '') =>
    only(answer('a', 'm', call('t', 'Edit', { file_path: '/w/a', ...input })) + more);
  const multi = call('t', 'MultiEdit', {
    file_path: '/w/a',
    edits: [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c\nd', new_string: 'd' },
    ],
  });

  it('shows what it would change, from its input', () => {
    expect(edit({ old_string: 'a\nb\nc', new_string: 'a\nB\nc' })).toMatchObject({
      result: null,
      diff: {
        path: '/w/a',
        added: 1,
        removed: 1,
        hunks: [{ lines: [{ kind: 'same' }, { kind: 'removed' }, { kind: 'added' }, { kind: 'same' }] }],
      },
    });
    expect(only(answer('a', 'm', multi))).toMatchObject({ diff: { added: 1, removed: 2 } });
    expect(
      only(answer('a', 'm', call('t', 'NotebookEdit', { notebook_path: '/n', new_source: 'x\ny' }))),
    ).toMatchObject({ diff: { path: '/n', added: 2 } });
    expect(only(answer('a', 'm', call('t', 'Write', {})))).toMatchObject({ diff: { path: '', hunks: [] } });
  });

  it('that failed changed nothing', () => {
    const failed = result('r', 't', '<tool_use_error>no</tool_use_error>', {
      is_error: true,
      toolUseResult: 'Error: no',
    });
    expect(edit({ old_string: 'a', new_string: 'b' }, failed)).toMatchObject({
      diff: null,
      result: { isError: true, text: 'no' },
    });
  });

  it('with completely different texts is compared quickly', () => {
    const lines = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}`).join('\n');
    expect(edit({ old_string: lines('a'), new_string: lines('b') })).toMatchObject({
      clipped: true,
      diff: { added: 20_000, removed: 20_000, clipped: true },
    });
  });

  it('names the subagent that it started, even while it runs', () => {
    const started =
      answer('a', 'm', call('t', 'Agent', {})) + result('r', 't', 'ok', { toolUseResult: { agentId: 'x9' } });
    expect(only(started)).toMatchObject({ agentId: 'x9' });
    expect(only(answer('a', 'm', call('running', 'Task', {})))).toMatchObject({ agentId: 'a1' });
    expect(only(answer('a', 'm', call('running', 'Bash', {})))).toMatchObject({ agentId: null });
  });

  it('has truncated input and output, or all of it on request', () => {
    const long =
      answer('a', 'm', call('t', 'Bash', { command: '🙂'.repeat(9000), list: Array(500).fill(1), deep: nest(40) })) +
      result('r', 't', 'x'.repeat(99_999));
    const cut = only(long) as Extract<ReturnType<typeof only>, { kind: 'tool' }>;
    expect(cut).toMatchObject({ clipped: true, result: { clipped: true } });
    expect(JSON.stringify(cut).length).toBeLessThan(20_000);
    expect(String(cut.input.command).isWellFormed()).toBe(true);
    const whole = only(long, WHOLE);
    expect(whole).toMatchObject({ clipped: false, input: { command: '🙂'.repeat(9000) }, result: { clipped: false } });
  });

  it('that nests too deeply is truncated', () => {
    const bomb = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const text = answer('a', 'm', call('t', 'Bash', { bomb: 1 })).replace('{"bomb":1}', bomb);
    for (const limits of [PAGE_LIMITS, WHOLE]) expect(JSON.stringify(only(text, limits)).length).toBeLessThan(1000);
  });

  it('on the server has its result in the same message', () => {
    const text =
      answer('a', 'm', { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } }) +
      answer('b', 'm', { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ title: 'T', url: 'u' }] });
    expect(only(text)).toMatchObject({ name: 'web_search', result: { text: 'T u' } });
  });
});

const nest = (depth: number): unknown => (depth === 0 ? 'x' : { in: nest(depth - 1) });

it('a response has the usage of its last line, and no price if none is known', () => {
  const usage = { input_tokens: 1, output_tokens: 2 };
  const last = {
    message: { id: 'm', role: 'assistant', model: 'unheard-of', content: [{ type: 'text', text: 'b' }], usage },
  };
  const [message] = read(answer('a', 'm', { type: 'text', text: 'a' }) + line('assistant', 'b', last));
  expect(message).toMatchObject({ model: 'unheard-of', tokens: { inputTokens: 1, outputTokens: 2 }, costUsd: null });
});
