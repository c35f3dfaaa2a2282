import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../../test/kit/wait.ts';
import type { ReadingUpdate } from '../../sessions/transcript-reading.ts';
import { Prices } from '../prices/prices.ts';
import { LiveTail } from './live-tail.ts';

function start() {
  const root = mkdtempSync(join(tmpdir(), 'gc-tail-'));
  const sent: ReadingUpdate[] = [];
  const asked: string[] = [];
  const results: string[][] = [];
  const errors: unknown[] = [];
  const tail = new LiveTail({
    prices: new Prices(),
    send: (id, reading) => void (id === 'one' && sent.push(reading)),
    sendResults: (id, callIds) => void (id === 'one' && results.push(callIds)),
    askLineage: (id) => void asked.push(id),
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => {
    tail.stop();
    rmSync(root, { recursive: true, force: true });
    expect(errors).toEqual([]);
  });
  const at = (path: string) => join(root, 'app', path);
  const write = (path: string, ...lines: object[]) => {
    mkdirSync(join(at(path), '..'), { recursive: true });
    appendFileSync(at(path), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    tail.onChange(at(path));
  };
  const shows = (wanted: Partial<ReadingUpdate>) =>
    waitFor(
      () => {
        expect(sent.at(-1)).toMatchObject(wanted);
        return true;
      },
      { what: 'the reading', timeout: 5000 },
    );
  return { tail, sent, asked, results, write, at, shows };
}

// now: a message that is seconds older than its file counts as copied from another session
const stamp = () => ({ timestamp: new Date().toISOString(), cwd: '/w/app', gitBranch: 'main', sessionId: 'one' });
const prompt = (content: string) => ({ type: 'user', uuid: content, message: { role: 'user', content }, ...stamp() });

function answer(id: string, { input = 0, output = 0, read = 0, model = 'claude-opus-5-5' } = {}) {
  const usage = { input_tokens: input, output_tokens: output, cache_read_input_tokens: read };
  const message = { id: `msg_${id}`, role: 'assistant', model, content: [{ type: 'text', text: 'ok' }], usage };
  return { type: 'assistant', uuid: id, message, requestedModel: model, ...stamp() };
}

test('reads a followed session from its start, and then as it grows', async () => {
  const { tail, sent, write, shows } = start();
  write('one.jsonl', prompt('hello'), answer('1', { input: 100, output: 10 }));
  expect(sent, 'nobody asked').toEqual([]);
  tail.follow('one');
  expect(sent.at(-1)).toMatchObject({
    title: 'hello',
    firstPrompt: 'hello',
    branch: 'main',
    model: 'claude-opus-5-5',
    contextWindowTokens: 100,
    contextWindowLimit: 1_000_000,
    tokens: { inputTokens: 100, outputTokens: 10 },
  });
  expect(sent.at(-1)?.cost?.totalUsd).toBeCloseTo((100 * 4 + 10 * 20) / 1e6, 12);
  write('one.jsonl', answer('2', { input: 200, read: 1000, output: 5 }));
  await shows({ contextWindowTokens: 1200 });
  expect(sent.at(-1)?.tokens).toMatchObject({ inputTokens: 300, outputTokens: 15, cacheReadTokens: 1000 });
});

test('gives subagents their own tokens, and the session all of them', async () => {
  const { tail, sent, write, shows } = start();
  tail.follow('one');
  write('one.jsonl', prompt('hello'), answer('1', { input: 100 }));
  write('one/subagents/agent-a1.jsonl', answer('2', { input: 7, model: 'claude-haiku-4-5' }));
  await shows({ subagents: expect.objectContaining({ a1: expect.anything() }) });
  expect(sent.at(-1)?.subagents.a1).toMatchObject({ model: 'claude-haiku-4-5', tokens: { inputTokens: 7 } });
  expect(sent.at(-1)?.tokens).toMatchObject({ inputTokens: 107 });
  expect(sent.at(-1)?.usageByModel?.map(({ model }) => model)).toEqual(['claude-opus-5-5', 'claude-haiku-4-5']);
  expect(sent.at(-1)).toMatchObject({ model: 'claude-opus-5-5', contextWindowTokens: 100 });
});

test('counts a subagent’s messages as its own, even if older clients also wrote them into its parent’s transcript', async () => {
  const { tail, sent, write, shows } = start();
  tail.follow('one');
  const said = answer('2', { input: 7 });
  write('one.jsonl', answer('1', { input: 100 }), { type: 'progress', data: { message: said }, ...stamp() });
  write('one/subagents/agent-a1.jsonl', said);
  await shows({ tokens: expect.objectContaining({ inputTokens: 107 }), subagents: { a1: expect.anything() } });
  expect(sent.at(-1)?.subagents.a1?.tokens).toMatchObject({ inputTokens: 7 });
});

test('counts a message in several lines once, with its latest usage', async () => {
  const { tail, sent, write } = start();
  write('one.jsonl', answer('1', { input: 100, output: 1 }), answer('1', { input: 100, output: 50 }));
  tail.follow('one');
  expect(sent.at(-1)?.tokens).toMatchObject({ inputTokens: 100, outputTokens: 50 });
});

test("counts a damaged line's usage as the index does", async () => {
  const { tail, write, at, shows } = start();
  tail.follow('one');
  write('one.jsonl', answer('1', { input: 100 }));
  const whole = answer('2', { input: 7 });
  const line = JSON.stringify({ ...whole, message: { ...whole.message, stop_reason: null } });
  appendFileSync(at('one.jsonl'), `${line.replace('"ok"', '"o\0k"')}\n`);
  tail.onChange(at('one.jsonl'));
  await shows({ tokens: expect.objectContaining({ inputTokens: 107 }) });
});

test('waits for the rest of a partial line', async () => {
  const { tail, sent, write, at, shows } = start();
  write('one.jsonl', prompt('hello'));
  tail.follow('one');
  const line = JSON.stringify(answer('1', { input: 100 }));
  appendFileSync(at('one.jsonl'), line.slice(0, 40));
  tail.onChange(at('one.jsonl'));
  expect(sent.at(-1)?.tokens).toBeNull();
  appendFileSync(at('one.jsonl'), `${line.slice(40)}\n`);
  tail.onChange(at('one.jsonl'));
  await shows({ contextWindowTokens: 100 });
});

test('rereads a file that is truncated, replaced or rewritten', async () => {
  const { tail, sent, write, at, shows } = start();
  write('one.jsonl', prompt('hello'), answer('1', { input: 100 }));
  tail.follow('one');
  const other = `${JSON.stringify(prompt('another'))}\n`;
  writeFileSync(at('one.jsonl'), other);
  tail.check('one');
  await shows({ title: 'another', tokens: null });
  writeFileSync(at('new'), other + JSON.stringify(answer('2', { input: 3 })));
  renameSync(at('new'), at('one.jsonl'));
  tail.check('one');
  await shows({ contextWindowTokens: 3 });
  writeFileSync(at('one.jsonl'), `${other}${JSON.stringify(prompt('x'.repeat(2000)))}\n`);
  tail.check('one');
  await shows({ contextWindowTokens: null });
  expect(sent.at(-1)?.tokens).toBeNull();
});

test('counts a moved file in its new project and no longer in the old one; a deleted one stays as it was', async () => {
  const { tail, sent, write, at, shows } = start();
  const tool = { type: 'tool_use', id: 't1', name: 'constructor', input: {} };
  const call = answer('1', { input: 100 });
  tail.follow('one');
  write('one.jsonl', { ...call, message: { ...call.message, content: [tool] } });
  mkdirSync(at('../other'));
  renameSync(at('one.jsonl'), at('../other/one.jsonl'));
  tail.onGone(at('one.jsonl'));
  write('../other/one.jsonl', answer('2', { input: 1 }));
  await shows({ tokens: expect.objectContaining({ inputTokens: 101 }), toolCounts: { constructor: 1 } });
  rmSync(at('../other/one.jsonl'));
  tail.onGone(at('../other/one.jsonl'));
  write('one/subagents/agent-a1.jsonl', answer('3', { input: 5 }));
  await shows({ tokens: expect.objectContaining({ inputTokens: 106 }) });
  expect(sent.at(-1)?.toolCounts).toEqual({ constructor: 1 });
});

test('shows a long file once it is read, and others meanwhile', async () => {
  const { tail, sent, write, shows } = start();
  const long = Array.from({ length: 120 }, (_, n) => ({
    ...answer(`${n}`, { input: 1 }),
    padding: 'x'.repeat(100_000),
  }));
  write('one.jsonl', ...long);
  tail.follow('one');
  expect(sent).toEqual([]);
  await shows({ contextWindowTokens: 1 });
  expect(sent).toHaveLength(1);
  expect(sent[0]?.tokens?.inputTokens).toBe(120);
});

test('spaces out reads of a session, and always sends the last one', async () => {
  const { tail, sent, write, shows } = start();
  tail.follow('one');
  for (let n = 0; n < 50; n++) write('one.jsonl', answer(`${n}`, { input: n + 1 }));
  await shows({ contextWindowTokens: 50 });
  expect(sent.length).toBeLessThan(10);
});

test('stops reading a session that is no longer followed; new prices change costs', async () => {
  const { tail, sent, write, shows } = start();
  write('one.jsonl', answer('1', { input: 1_000_000 }));
  tail.follow('one');
  const rates = { input: 1, output: 1, cacheRead: 1, cacheWrite5m: 1, cacheWrite1h: 1 };
  const price = { model: 'claude-opus-5-5', ...rates, batchFactor: 0.5, contextWindow: 5 };
  tail.setPrices(new Prices([price]));
  await shows({ contextWindowLimit: 5 });
  expect(sent.at(-1)?.cost?.totalUsd).toBe(1);
  const count = sent.length;
  tail.unfollow('one');
  write('one.jsonl', answer('2', { input: 1 }));
  expect(sent).toHaveLength(count);
});

test('shows nothing that another session wrote', () => {
  const { tail, sent, write } = start();
  tail.follow('one');
  write('two.jsonl', answer('1', { input: 1 }));
  write('two/subagents/agent-one.jsonl', answer('2', { input: 1 }));
  expect(sent).toEqual([]);
});

const old = { timestamp: '2026-11-15T12:00:00.000Z' };
const nothing = { inherited: [], from: null, base: null };
const sum = (input: number, more: object = {}) => ({
  type: 'cost-state',
  sessionId: 'one',
  startTime: 1000,
  totalDuration: 50,
  modelUsage: { 'claude-opus-5-5': { inputTokens: input, outputTokens: 0, costUSD: 0 } },
  ...more,
});

test('shows a forked session’s own usage, with what it started with beside it', async () => {
  const { tail, sent, asked, write, shows } = start();
  write('one.jsonl', { ...answer('1', { input: 100 }), ...old }, answer('2', { input: 7 }));
  tail.follow('one');
  expect(asked, 'a message is older than its file').toEqual(['one']);
  expect(sent.at(-1), 'not known yet').not.toHaveProperty('tokens');
  tail.setLineage('one', { inherited: ['msg_1'], from: 'parent', base: null });
  await shows({ tokens: expect.objectContaining({ inputTokens: 7 }) });
  expect(sent.at(-1)).toMatchObject({ inherited: { from: 'parent', tokens: { inputTokens: 100 } } });
  tail.setLineage('one', nothing);
  await shows({ tokens: expect.objectContaining({ inputTokens: 107 }), inherited: null });
});

test("adds the client's other usage when it writes its total", async () => {
  const { tail, sent, asked, write, shows } = start();
  const compacted = { type: 'system', subtype: 'compact_boundary', compactMetadata: {}, ...stamp() };
  write('one.jsonl', answer('1', { input: 100 }), compacted);
  tail.follow('one');
  expect(sent.at(-1)).toMatchObject({ tokens: { inputTokens: 100 }, uncounted: { compactions: 1, webSearches: 0 } });
  expect(asked).toEqual([]);
  write('one.jsonl', sum(350, { startTime: Date.parse(compacted.timestamp) - 1000 }));
  await waitFor(() => asked.length > 0, { what: 'the index to be asked' });
  tail.setLineage('one', nothing);
  await shows({ tokens: expect.objectContaining({ inputTokens: 350 }), uncounted: null });
  expect(sent.at(-1)?.usageByModel).toMatchObject([{ tokens: { inputTokens: 100 } }]);
  expect(sent.at(-1)?.otherUsage).toMatchObject([{ model: 'claude-opus-5-5', tokens: { inputTokens: 250 } }]);
});

test('reports which calls have an outcome, once, as soon as it is written', () => {
  const { tail, results, write } = start();
  const result = (id: string) => ({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id }] } });
  write('one.jsonl', result('t0'));
  tail.follow('one');
  write('one.jsonl', result('t1'), result('t2'));
  write('one.jsonl', { type: 'user', message: { content: 'next' } });
  write('one/subagents/agent-a.jsonl', result('t3'));
  expect(results).toEqual([['t0'], ['t1', 't2'], ['t3']]);
});
