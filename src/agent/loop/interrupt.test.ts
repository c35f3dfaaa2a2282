import { expect, it } from 'vitest';
import { type NativeAgent, quickTool, startNativeAgent } from '../../../test/kit/native-agent.ts';
import { callTool, live, say, together } from '../../../test/kit/scripted-answer.ts';

/** One of each step a turn can go through. */
const script = () => [
  live((answer) => {
    answer.thinking('First I look.');
    answer.text('Let me see.');
    answer.call('Look', { key: 'a' });
    answer.call('Change', { key: 'b' });
    answer.text('And so on.');
    answer.end();
  }),
  together(say('More.'), callTool('Look', { key: 'c' }), callTool('Nothing', {}), callTool('Change', { key: 'd' })),
  live((answer) => {
    answer.call('Look', { key: 'e' });
    answer.openText('cut her');
    setTimeout(() => answer.close(), 5);
  }),
  live((answer) => {
    answer.thinking('Almost.');
    answer.text('Done here.');
    answer.end();
  }),
];

const tools = () => [quickTool('Look'), quickTool('Change', { gate: 'write' })];

async function countEvents(): Promise<number> {
  const native = await startNativeAgent(script(), { tools: tools() });
  await native.agent.prompt('go');
  await native.close();
  return native.events.length;
}

/** Whatever happened before, the strict API must accept the next prompt. */
async function expectContinues(native: NativeAgent): Promise<void> {
  expect(await native.agent.prompt('continue')).toMatchObject({ kind: 'completed' });
}

it('leaves a conversation that the API accepts, wherever the operator interrupts', async () => {
  const total = await countEvents();
  for (let stopAt = 1; stopAt <= total; stopAt += 1) {
    let seen = 0;
    const stop = () => {
      seen += 1;
      if (seen === stopAt) native.agent.interrupt();
    };
    const native = await startNativeAgent(script(), { tools: tools(), onEvent: stop });
    await native.agent.prompt('go');
    await expectContinues(native);
    await native.close();
  }
});

it('continues in a new process from any prefix of the stored entries', async () => {
  const first = await startNativeAgent(script(), { tools: tools() });
  await first.agent.prompt('go');
  const entries = first.entries();
  await first.close();
  for (let length = 0; length <= entries.length; length += 1) {
    const native = await startNativeAgent([say('Back.')], { tools: tools(), entries: entries.slice(0, length) });
    await expectContinues(native);
    // again, from what the second process stored
    const all = [...entries.slice(0, length), ...native.entries()];
    await native.close();
    const third = await startNativeAgent([say('Again.')], { tools: tools(), entries: all });
    await expectContinues(third);
    await third.close();
  }
});

it('tells the model that a call may have run if its process died after it started', async () => {
  const native = await startNativeAgent([callTool('Look', { key: 'x' })], { tools: tools() });
  await native.agent.prompt('go');
  await native.close();
  const until = native.entries().findIndex(({ type }) => type === 'call.started') + 1;
  const resumed = await startNativeAgent([say('ok')], { tools: tools(), entries: native.entries().slice(0, until) });
  await resumed.agent.prompt('continue');
  expect(JSON.stringify(resumed.api.requests[0]?.body.messages)).toContain('may have run');
  await resumed.close();
});
