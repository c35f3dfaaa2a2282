import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hold, type NativeAgent, quickTool, startNativeAgent } from '../../../test/kit/native-agent.ts';
import { apiError, callTool, live, say } from '../../../test/kit/scripted-answer.ts';

let native: NativeAgent;
afterEach(() => native.close());

const full = { usage: { input_tokens: 900 } };
const textOf = (content: unknown) => JSON.stringify(content);

describe('compaction', () => {
  it('summarizes near the limit when no call is open, and continues the turn from the summary', async () => {
    const look = quickTool('Look');
    native = await startNativeAgent([callTool('Look', { key: 'a' }, full), say('THE SUMMARY'), say('Finished.')], {
      tools: [look],
      contextWindow: () => 1000,
    });
    expect(await native.agent.prompt('do the work')).toEqual({ kind: 'completed', text: 'Finished.' });
    const [, summarize, next] = native.api.requests;
    // the whole conversation with its result, then the summary request
    expect(textOf(summarize?.body.messages.at(-1))).toContain('a done');
    expect(summarize?.body.tool_choice).toEqual({ type: 'none' });
    expect(next?.body.messages).toHaveLength(1);
    expect(textOf(next?.body.messages)).toContain('THE SUMMARY');
    expect(native.types().filter((type) => type.startsWith('context.'))).toEqual([
      'context.compacting',
      'context.compacted',
    ]);
  });

  it('recovers once from a conversation that is too long, then reports it', async () => {
    native = await startNativeAgent([
      apiError(400, 'prompt is too long: 210000 tokens > 200000 maximum'),
      say('SUMMARY'),
      apiError(400, 'prompt is too long: 210000 tokens > 200000 maximum'),
    ]);
    expect(await native.agent.prompt('go')).toMatchObject({ kind: 'failed', code: 'context' });
    expect(native.api.requests).toHaveLength(3);
  });

  it('summarizes truncated text if the whole conversation does not fit the summary request either', async () => {
    const tooLong = apiError(400, 'prompt is too long: 210000 tokens > 200000 maximum');
    native = await startNativeAgent(
      [callTool('Look', { key: 'x'.repeat(20_000) }), tooLong, tooLong, say('SUMMARY'), say('Finished.')],
      { tools: [quickTool('Look')] },
    );
    expect(await native.agent.prompt('go')).toEqual({ kind: 'completed', text: 'Finished.' });
    const [, , whole, cut, next] = native.api.requests.map(({ body }) => textOf(body.messages));
    expect(whole?.length).toBeGreaterThan(40_000);
    expect(cut?.length).toBeLessThan(20_000);
    expect(cut).toContain('characters left out');
    expect(next).toContain('SUMMARY');
  });

  it('keeps a prompt that arrives during compaction, and answers it from the summary', async () => {
    const { held, release } = hold();
    const summary = live(async (answer) => {
      await held;
      answer.text('SUMMARY');
      answer.end();
    });
    native = await startNativeAgent([say('one'), summary, say('two')]);
    await native.agent.prompt('first');
    const compacted = native.agent.compact();
    await native.until('context.compacting');
    const second = native.agent.prompt('the second prompt');
    release();
    await compacted;
    expect(await second).toEqual({ kind: 'completed', text: 'two' });
    expect(native.api.requests).toHaveLength(3);
    const sent = textOf(native.api.requests[2]?.body.messages);
    expect(sent).toContain('SUMMARY');
    expect(sent).toContain('the second prompt');
  });

  it('does not compact on every request when the summary is long too', async () => {
    const steps = Array.from({ length: 9 }, (_, at) =>
      live((answer, request) => {
        if (request.tool_choice) answer.text('S');
        else answer.call('Look', { key: String(at) });
        answer.end({ usage: { input_tokens: 900 } });
      }),
    );
    native = await startNativeAgent(steps, { tools: [quickTool('Look')], contextWindow: () => 1000 });
    await native.agent.prompt('go');
    expect(native.types().filter((type) => type === 'context.compacted')).toHaveLength(2);
  });

  it('leaves the conversation as it was when the summary fails', async () => {
    native = await startNativeAgent([say('one'), apiError(400, 'no'), say('two')]);
    await native.agent.prompt('first');
    await expect(native.agent.compact()).rejects.toThrow('no');
    await native.agent.prompt('second');
    expect(native.api.requests[2]?.body.messages).toHaveLength(3);
  });
});

describe('limits', () => {
  it('stops after the maximum number of requests', async () => {
    const look = quickTool('Look');
    const steps = Array.from({ length: 9 }, (_, at) => callTool('Look', { key: String(at) }));
    native = await startNativeAgent(steps, { tools: [look], maxTurns: 4 });
    expect(await native.agent.prompt('go')).toMatchObject({ kind: 'failed', code: 'max_turns' });
    expect(native.api.requests).toHaveLength(4);
    expect(await native.agent.prompt('more')).toMatchObject({ kind: 'failed', code: 'max_turns' });
  });

  it('checks the budget before each request, and ends the turn when it is refused', async () => {
    const look = quickTool('Look');
    const steps = Array.from({ length: 9 }, (_, at) => callTool('Look', { key: String(at) }));
    const costUsd: number[] = [];
    const askedAt: number[] = [];
    native = await startNativeAgent(steps, {
      tools: [look],
      budget: {
        spend: () => {
          costUsd.push(1);
          return undefined;
        },
        admits: async () => {
          if (costUsd.length < 2) return true;
          askedAt.push(costUsd.length);
          return askedAt.length < 3;
        },
      },
    });
    expect(await native.agent.prompt('go')).toMatchObject({ kind: 'failed', code: 'budget' });
    expect(askedAt).toEqual([2, 3, 4]);
    expect(native.api.requests).toHaveLength(4);
  });

  it('asks the operator about the third identical call in a row', async () => {
    const look = quickTool('Look');
    const again = callTool('Look', { key: 'same' });
    native = await startNativeAgent([again, again, again, again], { tools: [look] });
    const turn = native.agent.prompt('go');
    await native.until('ask.raised');
    expect(look.runs).toHaveLength(2);
    expect(native.asks.pending()[0]?.call.mustAsk).toContain('3 times in a row');
    native.asks.settle(native.asks.pending()[0]!.id, { decision: 'deny', by: 'operator', message: 'Try another way' });
    await turn;
    // the fourth call starts a new count because the operator saw the third
    expect(look.runs).toHaveLength(3);
  });
});

describe('instructions', () => {
  it('reads CLAUDE.md and AGENTS.md once each, into the first message and never the system prompt', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'gc-agent-'));
    await writeFile(join(cwd, 'CLAUDE.md'), 'Use tabs.');
    await symlink('CLAUDE.md', join(cwd, 'AGENTS.md'));
    native = await startNativeAgent([], { cwd });
    await native.agent.prompt('hello');
    const [{ body }] = native.api.requests as [(typeof native.api.requests)[0]];
    const first = textOf(body.messages[0]);
    expect(first.split('Use tabs.')).toHaveLength(2);
    expect(textOf(body.system)).not.toContain('Use tabs.');
    expect(textOf(body.system)).not.toContain(cwd);
    await rm(cwd, { recursive: true });
  });
});

describe('subagents', () => {
  it('works in its own context and returns its last message', async () => {
    const look = quickTool('Look');
    native = await startNativeAgent(
      [
        callTool('Task', { description: 'look around', prompt: 'Find the answer', subagent_type: 'explore' }),
        callTool('Look', { key: 'inside' }),
        say('The answer is 42.'),
        say('Thanks.'),
      ],
      { tools: [look] },
    );
    expect(await native.agent.prompt('secret plan')).toEqual({ kind: 'completed', text: 'Thanks.' });
    const inside = native.api.requests[1]!.body;
    expect(textOf(inside.messages)).not.toContain('secret plan');
    expect(inside.tools?.map(({ name }) => name)).toEqual(['Look']);
    expect(textOf(native.api.requests[3]?.body.messages.at(-1))).toContain('The answer is 42.');
    expect(native.events.filter(({ type }) => type.startsWith('subagent.'))).toMatchObject([
      { type: 'subagent.started', actor: { type: 'explore', parentId: 'main' } },
      { type: 'subagent.ended' },
    ]);
  });

  it('reports an API error of a subagent as a failed call', async () => {
    native = await startNativeAgent([callTool('Task', { description: 'x', prompt: 'y' }), apiError(400, 'nope')], {
      tools: [quickTool('Look')],
    });
    await native.agent.prompt('go');
    const result = native.events.find(({ type }) => type === 'tool.failed');
    expect(JSON.stringify(result)).toContain('nope');
  });
});
