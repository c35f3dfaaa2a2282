import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { heldTool, type NativeAgent, quickTool, resultsIn, startNativeAgent } from '../../../test/kit/native-agent.ts';
import { seededRandom } from '../../../test/kit/random.ts';
import { callTool, say, together } from '../../../test/kit/scripted-answer.ts';
import { waitFor } from '../../../test/kit/wait.ts';
import { defineTool, ok } from '../tools/tool.ts';
import { createPermissionContext, withMode } from './context.ts';

let native: NativeAgent;
afterEach(() => native.close());

const write = () => quickTool('Change', { gate: 'write', permission: 'permission' });
const change = (key: string) => callTool('Change', { key });

async function nextAsk() {
  await waitFor(() => native.asks.pending().length > 0, { what: 'an ask', interval: 2 });
  return native.asks.pending()[0]!;
}

describe('test_permission_flow', () => {
  it('suspends, resumes the same call after an allow, and asks again for the next identical command', async () => {
    const tool = write();
    native = await startNativeAgent([change('x'), change('x')], { tools: [tool] });
    const turn = native.agent.prompt('go');
    const first = await nextAsk();
    expect(tool.runs).toEqual([]);
    native.asks.settle(first.id, { decision: 'allow', by: 'operator' });
    await native.until('tool.ended');
    const second = await nextAsk();
    expect(second.id).not.toBe(first.id);
    expect(tool.runs).toEqual(['x']);
    native.asks.settle(second.id, { decision: 'allow', by: 'operator' });
    await turn;
    expect(tool.runs).toEqual(['x', 'x']);
    expect(native.events.filter(({ type }) => type === 'tool.started')).toHaveLength(2);
    expect(native.agent.stats.decisions.get('allow by operator')).toBe(2);
  });

  it('runs the edited input and tells the model', async () => {
    const tool = write();
    native = await startNativeAgent([change('x')], { tools: [tool] });
    const turn = native.agent.prompt('go');
    native.asks.settle((await nextAsk()).id, { decision: 'allow', by: 'operator', updatedInput: { key: 'safer' } });
    await turn;
    expect(tool.runs).toEqual(['safer']);
    expect(resultsIn(native.api.requests[1]?.body)[0]?.content).toMatch(/operator edited this call.*safer/s);
  });

  it('does not run an edit that is not valid', async () => {
    const tool = write();
    native = await startNativeAgent([change('x')], { tools: [tool] });
    const turn = native.agent.prompt('go');
    native.asks.settle((await nextAsk()).id, { decision: 'allow', by: 'operator', updatedInput: { wrong: 1 } });
    await turn;
    expect(tool.runs).toEqual([]);
  });
});

describe('test_denial_flow', () => {
  it('answers with an error, and the model continues', async () => {
    const tool = write();
    native = await startNativeAgent([change('x'), say('Then I stop.')], { tools: [tool] });
    const turn = native.agent.prompt('go');
    native.asks.settle((await nextAsk()).id, { decision: 'deny', by: 'operator' });
    expect(await turn).toEqual({ kind: 'completed', text: 'Then I stop.' });
    expect(resultsIn(native.api.requests[1]?.body)).toMatchObject([
      { content: 'Permission denied by user', isError: true },
    ]);
    expect(tool.runs).toEqual([]);
  });

  it('passes the message of the operator on, and can end the turn', async () => {
    native = await startNativeAgent([change('x'), say('next')], { tools: [write()] });
    const turn = native.agent.prompt('go');
    native.asks.settle((await nextAsk()).id, {
      decision: 'deny',
      by: 'operator',
      message: 'Wrong branch',
      endsTurn: true,
    });
    expect(await turn).toMatchObject({ kind: 'failed', code: 'denied' });
    await native.agent.prompt('so?');
    expect(JSON.stringify(native.api.requests[1]?.body.messages)).toContain('Permission denied by user: Wrong branch');
  });

  it('kills a call before it runs, and while it runs, without ending the turn', async () => {
    const held = heldTool('Change', { gate: 'write', permission: 'permission' });
    native = await startNativeAgent([change('x'), change('y'), say('Fine.')], { tools: [held.tool] });
    const turn = native.agent.prompt('go');
    native.asks.settle((await nextAsk()).id, { decision: 'kill', by: 'operator' });
    native.asks.settle((await nextAsk()).id, { decision: 'allow', by: 'operator' });
    await waitFor(() => held.started.length === 1, { what: 'the second call' });
    native.agent.running.kill(native.agent.running.ids[0]!);
    expect(await turn).toMatchObject({ kind: 'completed' });
    expect(held.started).toEqual(['y']);
    expect(resultsIn(native.api.requests[1]?.body)[0]?.content).toBe('Killed by the operator before it ran.');
    expect(resultsIn(native.api.requests[2]?.body)[0]?.isError).toBe(true);
  });

  it('denies with the reason when there is no operator to ask', async () => {
    native = await startNativeAgent([change('x')], { tools: [write()], nobodyThere: () => 'No terminal is attached.' });
    await native.agent.prompt('go');
    expect(resultsIn(native.api.requests[1]?.body)[0]).toMatchObject({
      content: expect.stringContaining('No terminal is attached.'),
      isError: true,
    });
  });

  it('denies when the decider itself fails', async () => {
    const tool = write();
    native = await startNativeAgent([change('x')], { tools: [tool], decide: () => Promise.reject(new Error('boom')) });
    expect(await native.agent.prompt('go')).toMatchObject({ kind: 'completed' });
    expect(tool.runs).toEqual([]);
  });
});

describe('suspended calls', () => {
  it('gives each of 1,000 concurrent calls its own decision, in any order', async () => {
    const count = 1000;
    const tool = defineTool({
      name: 'Change',
      description: 'echoes',
      input: z.object({ key: z.string() }),
      gate: 'write',
      permission: 'permission',
      run: async ({ key }) => ok(`ran ${key}`),
    });
    const calls = Array.from({ length: count }, (_, at) => change(String(at)));
    native = await startNativeAgent([together(...calls)], { tools: [tool] });
    const turn = native.agent.prompt('go');
    await waitFor(() => native.asks.pending().length === count, { what: 'all asks' });
    // a client that connects now sees them all
    const random = seededRandom(7);
    const shuffled = native.asks
      .pending()
      .map((ask) => ({ ask, order: random.next() }))
      .sort((a, b) => a.order - b.order);
    const decisions = new Map<string, string>();
    for (const { ask, order } of shuffled) {
      const key = String(ask.call.input.key);
      if (order < 0.4) {
        decisions.set(key, `ran ${key}`);
        native.asks.settle(ask.id, { decision: 'allow', by: 'operator' });
      } else if (order < 0.7) {
        decisions.set(key, `Permission denied by user: no ${key}`);
        native.asks.settle(ask.id, { decision: 'deny', by: 'operator', message: `no ${key}` });
      } else {
        decisions.set(key, `edited ${key}`);
        native.asks.settle(ask.id, { decision: 'allow', by: 'operator', updatedInput: { key: `edited ${key}` } });
      }
    }
    await turn;
    const results = resultsIn(native.api.requests[1]?.body);
    expect(results).toHaveLength(count);
    for (const [at, { content }] of results.entries()) expect(content).toContain(decisions.get(String(at)));
  });

  it('takes the first decision and refuses a late one', async () => {
    native = await startNativeAgent([change('x')], { tools: [write()] });
    const turn = native.agent.prompt('go');
    const { id } = await nextAsk();
    native.asks.settle(id, { decision: 'deny', by: 'operator' });
    expect(() => native.asks.settle(id, { decision: 'allow', by: 'operator' })).toThrow('decided already');
    await turn;
  });

  it('withdraws what waits when the turn is interrupted', async () => {
    native = await startNativeAgent([change('x')], { tools: [write()] });
    const turn = native.agent.prompt('go');
    await nextAsk();
    native.agent.interrupt();
    expect(await turn).toEqual({ kind: 'interrupted' });
    expect(native.asks.pending()).toEqual([]);
    expect(native.types()).toContain('ask.settled');
  });

  it('judges waiting calls again when the operator adds a rule or changes the mode', async () => {
    const tool = write();
    native = await startNativeAgent([together(change('x'), change('y'))], { tools: [tool] });
    const turn = native.agent.prompt('go');
    await waitFor(() => native.asks.pending().length === 2, { what: 'two asks' });
    native.asks.context = { ...native.asks.context, alwaysAllowRules: { session: ['Change'] } };
    await turn;
    expect(tool.runs).toEqual(['x', 'y']);
  });
});

describe('permission context', () => {
  const modes = async (permission: Parameters<typeof createPermissionContext>[0]) => {
    const tool = write();
    native = await startNativeAgent([change('x')], {
      tools: [tool],
      permission: permission ?? {},
      nobodyThere: () => 'Nobody.',
    });
    await native.agent.prompt('go');
    return { ran: tool.runs.length === 1, text: String(resultsIn(native.api.requests[1]?.body)[0]?.content) };
  };

  it('offers bypass only where a flag made it available', async () => {
    expect(() => createPermissionContext({ mode: 'bypassPermissions' })).toThrow('flag at the start');
    expect(() => withMode(createPermissionContext(), 'bypassPermissions')).toThrow('flag at the start');
    expect(await modes({ mode: 'bypassPermissions', isBypassPermissionsModeAvailable: true })).toMatchObject({
      ran: true,
    });
  });

  it('denies writes in plan mode, and unmatched calls in dontAsk mode', async () => {
    const plan = await modes({ mode: 'plan' });
    expect(plan).toMatchObject({ ran: false, text: expect.stringContaining('plan mode') });
    await native.close();
    expect(await modes({ mode: 'dontAsk' })).toMatchObject({ ran: false, text: expect.stringContaining('not asked') });
    await native.close();
    expect(await modes({ mode: 'dontAsk', alwaysAllowRules: { session: ['Change'] } })).toMatchObject({ ran: true });
  });

  it('a deny rule wins over everything', async () => {
    const denied = await modes({
      mode: 'bypassPermissions',
      isBypassPermissionsModeAvailable: true,
      alwaysAllowRules: { session: ['Change'] },
      alwaysDenyRules: { project: ['Change'] },
    });
    expect(denied).toMatchObject({ ran: false, text: expect.stringContaining('The rule Change denies') });
  });
});
