import { afterEach, describe, expect, it } from 'vitest';
import {
  heldTool,
  hold,
  type NativeAgent,
  quickTool,
  resultsIn,
  startNativeAgent,
} from '../../../test/kit/native-agent.ts';
import { callTool, live, say, together } from '../../../test/kit/scripted-answer.ts';
import { waitFor } from '../../../test/kit/wait.ts';

let native: NativeAgent;
afterEach(() => native.close());

describe('test_streaming_tools', () => {
  it('starts a read before the reply ends, overlaps reads, holds back a write, and answers in order', async () => {
    const read = heldTool('Look');
    const write = heldTool('Change', { gate: 'write' });
    const { held, release } = hold();
    native = await startNativeAgent(
      [
        live(async (answer) => {
          answer.text('Looking.');
          answer.call('Look', { key: 'one' });
          answer.call('Look', { key: 'two' });
          answer.call('Change', { key: 'three' });
          await held;
          answer.text('More words.');
          answer.end();
        }),
        say('All done.'),
      ],
      { tools: [read.tool, write.tool] },
    );
    const turn = native.agent.prompt('go');

    // both reads run while the reply streams; the write may still be incomplete
    await waitFor(() => read.started.length === 2, { what: 'two overlapping reads' });
    expect(native.types()).not.toContain('usage');
    expect(write.started).toEqual([]);

    // the next block proves that the write is complete; it waits at the gate for the reads
    release();
    await native.until('usage');
    expect(write.started).toEqual([]);
    read.finish('two');
    await native.until('tool.ended');
    expect(write.started).toEqual([]);
    read.finish('one');
    await waitFor(() => write.started.length === 1, { what: 'the write' });
    expect(native.api.requests).toHaveLength(1);
    write.finish('three');

    expect(await turn).toEqual({ kind: 'completed', text: 'All done.' });
    expect(native.api.requests).toHaveLength(2);
    expect(resultsIn(native.api.requests[1]?.body).map(({ content }) => content)).toEqual([
      'one done',
      'two done',
      'three done',
    ]);
  });

  it('delivers text while a permission is pending, and runs other calls meanwhile', async () => {
    const read = quickTool('Look');
    const write = quickTool('Change', { gate: 'write', permission: 'permission' });
    const { held, release } = hold();
    native = await startNativeAgent(
      [
        live(async (answer) => {
          answer.call('Change', { key: 'first' });
          answer.openText('While you decide, ');
          await held;
          answer.text('this text keeps coming.');
          answer.call('Look', { key: 'second' });
          answer.end();
        }),
      ],
      { tools: [read, write] },
    );
    const turn = native.agent.prompt('go');
    await native.until('ask.raised');
    release();
    await native.until('usage');
    await waitFor(() => read.runs.length === 1, { what: 'the read beside the pending write' });
    expect(write.runs).toEqual([]);
    const text = native.events.flatMap((event) => (event.type === 'text.delta' ? [event.text] : [])).join('');
    expect(text).toBe('While you decide, this text keeps coming.');

    native.asks.settle(native.asks.pending()[0]!.id, { decision: 'allow', by: 'operator' });
    await turn;
    expect(resultsIn(native.api.requests[1]?.body).map(({ content }) => content)).toEqual([
      'first done',
      'second done',
    ]);
  });

  it('joins small deltas to frames and keeps their order with calls', async () => {
    native = await startNativeAgent(
      [
        live((answer) => {
          for (let at = 0; at < 200; at += 1) answer.text(`w${at} `);
          answer.call('Look', { key: 'x' });
          answer.end();
        }),
      ],
      { tools: [quickTool('Look')] },
    );
    await native.agent.prompt('go');
    const firstReply = native.events.slice(0, native.types().indexOf('tool.started'));
    const deltas = firstReply.flatMap((event) => (event.type === 'text.delta' ? [event.text] : []));
    expect(deltas.join('')).toBe(Array.from({ length: 200 }, (_, at) => `w${at} `).join(''));
  });

  it('waits until a call is stored before it runs', async () => {
    const { held: stored, release: store } = hold();
    const tool = quickTool('Look');
    native = await startNativeAgent([callTool('Look', { key: 'x' })], {
      tools: [tool],
      onEvent: (event) => (event.type === 'tool.started' ? stored : undefined),
    });
    const turn = native.agent.prompt('go');
    await native.until('usage');
    expect(tool.runs).toEqual([]);
    store();
    await turn;
    expect(tool.runs).toEqual(['x']);
  });

  it('adds a prompt sent during a turn to the next request, after the results', async () => {
    const read = heldTool('Look');
    native = await startNativeAgent([callTool('Look', { key: 'x' })], { tools: [read.tool] });
    const turn = native.agent.prompt('go');
    await waitFor(() => read.started.length === 1, { what: 'the call' });
    void native.agent.prompt('also this');
    read.finish('x');
    await turn;
    const last = native.api.requests[1]?.body.messages.at(-1)?.content;
    expect(last).toMatchObject([{ type: 'tool_result' }, { type: 'text', text: 'also this' }]);
  });

  it('sends many parallel calls and marks at most four places for the cache', async () => {
    const read = quickTool('Look');
    const calls = Array.from({ length: 25 }, (_, at) => callTool('Look', { key: String(at) }));
    native = await startNativeAgent([together(...calls), callTool('Look', { key: 'again' })], { tools: [read] });
    await native.agent.prompt('go');
    const marked = native.api.requests[2]!.body.messages.flatMap(({ content }, at) =>
      JSON.stringify(content).includes('cache_control') ? [at] : [],
    );
    // the last message, and the one that was last in the previous request
    expect(marked).toEqual([2, 4]);
    expect(resultsIn(native.api.requests[1]?.body)).toHaveLength(25);
  });
});
