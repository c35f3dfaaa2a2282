import { afterEach, describe, expect, it } from 'vitest';
import { type NativeAgent, quickTool, resultsIn, startNativeAgent } from '../../../test/kit/native-agent.ts';
import { apiError, callTool, live, passingError, say } from '../../../test/kit/scripted-answer.ts';
import { DEFAULT_RETRIES, waitBeforeRetry } from './retry.ts';

let native: NativeAgent;
afterEach(() => native.close());

const read = () => quickTool('Look');
const write = () => quickTool('Change', { gate: 'write' });

function retries() {
  return native.events.flatMap((event) => (event.type === 'request.retrying' ? [event] : []));
}

describe('a stream that breaks off', () => {
  it.each([
    ['in good order', 'close'],
    ['by a reset', 'reset'],
  ] as const)('asks again when no call had started (%s)', async (_, how) => {
    native = await startNativeAgent([
      live((answer) => {
        answer.openText('Half a sen');
        setTimeout(() => answer[how](), 30);
      }),
      say('A whole sentence.'),
    ]);
    expect(await native.agent.prompt('go')).toEqual({ kind: 'completed', text: 'A whole sentence.' });
    expect(native.api.requests).toHaveLength(2);
    expect(native.api.requests[1]?.body.messages).toEqual(native.api.requests[0]?.body.messages);
    expect(native.types()).toContain('reply.dropped');
    expect(retries()).toHaveLength(1);
  });

  it('keeps started calls with their real results, drops the unfinished one, and runs nothing twice', async () => {
    const [look, change] = [read(), write()];
    native = await startNativeAgent(
      [
        live(async (answer) => {
          answer.thinking('Hm.');
          answer.call('Look', { key: 'a' });
          answer.call('Change', { key: 'b' });
          answer.openCall('Change', '{"key": "c');
          setTimeout(() => answer.reset(), 30);
        }),
        say('Continued.'),
      ],
      { tools: [look, change] },
    );
    expect(await native.agent.prompt('go')).toEqual({ kind: 'completed', text: 'Continued.' });
    expect([look.runs, change.runs]).toEqual([['a'], ['b']]);
    const [, , request] = [null, ...native.api.requests];
    expect(request?.body.messages.at(-2)).toMatchObject({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'Hm.' }, { name: 'Look' }, { name: 'Change', input: { key: 'b' } }],
    });
    expect(resultsIn(request?.body).map(({ content }) => content)).toEqual(['a done', 'b done']);
  });

  it('does not run a write if the stream ends right after it', async () => {
    const change = write();
    native = await startNativeAgent(
      [
        live((answer) => {
          answer.call('Change', { key: 'a' });
          setTimeout(() => answer.close(), 30);
        }),
      ],
      { tools: [change] },
    );
    await native.agent.prompt('go');
    expect(change.runs).toEqual([]);
  });

  it('accepts a reply whose proxy leaves out message_stop', async () => {
    const change = write();
    native = await startNativeAgent(
      [
        live((answer) => {
          answer.call('Change', { key: 'a' });
          answer.endWithoutStop('tool_use');
        }),
      ],
      { tools: [change] },
    );
    await native.agent.prompt('go');
    expect(change.runs).toEqual(['a']);
    expect(retries()).toEqual([]);
  });

  it('handles an error inside the stream by its type', async () => {
    native = await startNativeAgent([
      live((answer) => answer.error('overloaded_error')),
      live((answer) => answer.error('invalid_request_error', 'broken')),
    ]);
    expect(await native.agent.prompt('go')).toMatchObject({ kind: 'failed', code: 'api' });
    expect(native.api.requests).toHaveLength(2);
    expect(retries()).toMatchObject([{ attempt: 1, why: 'The API is overloaded' }]);
  });

  it('gives up on a silent connection, but not on one that sends pings', async () => {
    let pings: NodeJS.Timeout;
    native = await startNativeAgent(
      [
        live((answer) => answer.openText('silence from here')),
        live((answer) => {
          answer.openText('thinking');
          let left = 6;
          pings = setInterval(() => {
            answer.ping();
            left -= 1;
            if (left > 0) return;
            clearInterval(pings);
            answer.end();
          }, 100);
        }),
      ],
      { silenceMs: 400 },
    );
    expect(await native.agent.prompt('go')).toEqual({ kind: 'completed', text: 'thinking' });
    expect(retries()).toHaveLength(1);
  });
});

describe('retries', () => {
  it('waits as long as the server asks, shows the delay, and continues', async () => {
    native = await startNativeAgent([
      passingError(429, { 'retry-after': '7' }),
      passingError(529, { 'retry-after-ms': '1234' }),
      passingError(503),
      say('Here.'),
    ]);
    expect(await native.agent.prompt('go')).toEqual({ kind: 'completed', text: 'Here.' });
    expect(retries()).toMatchObject([
      { attempt: 1, waitMs: 7000, why: 'The API is limiting requests' },
      { attempt: 2, waitMs: 1234, why: 'The API is overloaded' },
      { attempt: 3 },
    ]);
  });

  it('backs off with jitter up to a ceiling', () => {
    const waits = Array.from({ length: 12 }, (_, at) => waitBeforeRetry(null, at + 1, DEFAULT_RETRIES, () => 1));
    expect(waits.slice(0, 4)).toEqual([500, 1000, 2000, 4000]);
    expect(waits.at(-1)).toBe(60_000);
    expect(waitBeforeRetry(null, 1, DEFAULT_RETRIES, () => 0)).toBe(250);
  });

  it('fails at once when the server says not to retry, and after the last attempt', async () => {
    native = await startNativeAgent([apiError(529), ...Array.from({ length: 5 }, () => passingError(500))], {
      retry: { ...DEFAULT_RETRIES, retries: 2 },
    });
    expect(await native.agent.prompt('one')).toMatchObject({ kind: 'failed', error: 'The API is overloaded' });
    expect(native.api.requests).toHaveLength(1);
    expect(await native.agent.prompt('two')).toMatchObject({ kind: 'failed', code: 'api' });
    expect(native.api.requests).toHaveLength(4);
  });
});

describe('a reply that stops early', () => {
  it('fails a call cut off by max_tokens, even if its JSON happens to parse', async () => {
    const change = write();
    native = await startNativeAgent(
      [
        live((answer) => {
          answer.call('Change', { key: 'first' });
          answer.call('Change', { key: 'shortened' });
          answer.end({ reason: 'max_tokens' });
        }),
        live((answer) => {
          answer.call('Change', {}, { json: '{"key": "trunc' });
          answer.end({ reason: 'max_tokens' });
        }),
      ],
      { tools: [change] },
    );
    await native.agent.prompt('go');
    expect(change.runs).toEqual(['first']);
    expect(resultsIn(native.api.requests[1]?.body)).toMatchObject([
      { content: 'first done', isError: false },
      { content: expect.stringContaining('max_tokens'), isError: true },
    ]);
    expect(resultsIn(native.api.requests[2]?.body)).toMatchObject([{ isError: true }]);
  });

  it("reports invalid JSON and inputs that aren't objects to the model", async () => {
    const look = read();
    native = await startNativeAgent(
      [
        live((answer) => {
          answer.call('Look', {}, { json: '{"key": nope}' });
          answer.call('Look', {}, { json: '[1]' });
          answer.call('Look', { key: 'fine' });
          answer.end();
        }),
      ],
      { tools: [look] },
    );
    await native.agent.prompt('go');
    expect(look.runs).toEqual(['fine']);
    expect(resultsIn(native.api.requests[1]?.body).map(({ isError }) => isError)).toEqual([true, true, false]);
  });

  it('ends the turn on a refusal with its explanation and drops the reply', async () => {
    native = await startNativeAgent([
      live((answer) => {
        answer.text('I will');
        answer.end({ reason: 'refusal', details: { type: 'refusal', explanation: 'Not this.', category: null } });
      }),
      say('Hello.'),
    ]);
    expect(await native.agent.prompt('bad')).toEqual({ kind: 'failed', code: 'refusal', error: 'Not this.' });
    expect(await native.agent.prompt('good')).toMatchObject({ kind: 'completed' });
  });

  it('keeps redacted and empty thinking, and renames repeated call ids', async () => {
    const look = read();
    const reply = live((answer) => {
      answer.thinking('');
      answer.redacted('opaque');
      answer.call('Look', { key: 'x' }, { id: 'call_0' });
      answer.end();
    });
    native = await startNativeAgent([reply, reply], { tools: [look] });
    expect(await native.agent.prompt('go')).toMatchObject({ kind: 'completed' });
    expect(resultsIn(native.api.requests[1]?.body)[0]?.id).toBe('call_0');
    expect(resultsIn(native.api.requests[2]?.body)[0]?.id).toBe('call_0_2');
    expect(native.api.requests[2]?.body.messages[1]?.content).toMatchObject([
      { type: 'thinking', thinking: '' },
      { type: 'redacted_thinking', data: 'opaque' },
      { type: 'tool_use' },
    ]);
  });
});

it('runs calls of a reply that claims end_turn', async () => {
  const change = write();
  native = await startNativeAgent(
    [
      live((answer) => {
        answer.call('Change', { key: 'a' });
        answer.end({ reason: 'end_turn' });
      }),
      callTool('Change', { key: 'b' }),
    ],
    { tools: [change] },
  );
  await native.agent.prompt('go');
  expect(change.runs).toEqual(['a', 'b']);
});
