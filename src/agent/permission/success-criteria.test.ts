import { afterEach, describe, expect, it } from 'vitest';
import { type NativeAgent, resultsIn, startNativeAgent } from '../../../test/kit/native-agent.ts';
import { type NativeTools, openNativeTools } from '../../../test/kit/native-tools.ts';
import { seededRandom } from '../../../test/kit/random.ts';
import { callTool, live, say, together } from '../../../test/kit/scripted-answer.ts';
import { waitFor } from '../../../test/kit/wait.ts';

let native: NativeAgent;
let real: NativeTools;
afterEach(async () => {
  await native.close();
  await real.close();
});

async function start(steps: Parameters<typeof startNativeAgent>[0]) {
  real = await openNativeTools();
  native = await startNativeAgent(steps, { tools: real.tools, cwd: real.folder });
}

const bash = (command: string) => callTool('Bash', { command });
const asked = (count = 1) =>
  waitFor(() => (native.asks.pending().length >= count ? native.asks.pending() : undefined), {
    what: `${count} asks`,
    interval: 2,
  });
const allow = { decision: 'allow', by: 'operator' } as const;

/** The success criteria of the design document, one test each. */
describe('success criteria', () => {
  it('no UI hangs when a permission dialog is shown: text arrives, prompts are taken, an interrupt works', async () => {
    await start([
      live((answer) => {
        answer.call('Bash', { command: 'echo one' });
        answer.openText('still talking');
      }),
      say('Second turn.'),
    ]);
    const turn = native.agent.prompt('go');
    await asked();
    await native.until('text.delta');
    void native.agent.prompt('and this');
    native.agent.interrupt();
    expect(await turn).toEqual({ kind: 'interrupted' });
    expect(native.asks.pending()).toEqual([]);
    expect(await native.agent.prompt('again')).toMatchObject({ kind: 'completed', text: 'Second turn.' });
  });

  it('commands execute after permission is granted, and not before', async () => {
    await start([bash('echo granted > granted.txt; cat granted.txt')]);
    const turn = native.agent.prompt('go');
    const [ask] = await asked();
    expect((await real.call('Glob', { pattern: '*.txt' })).text).not.toContain('granted.txt');
    native.asks.settle(ask!.id, allow);
    await turn;
    expect(resultsIn(native.api.requests.at(-1)?.body)).toMatchObject([{ content: 'granted', isError: false }]);
  });

  it('each command requests permission independently', async () => {
    await start([together(bash('echo a'), bash('echo a'), bash('echo b'))]);
    const turn = native.agent.prompt('go');
    const asks = await asked(3);
    expect(new Set(asks.map(({ id }) => id)).size).toBe(3);
    native.asks.settle(asks[1]!.id, allow);
    await native.until('tool.ended');
    expect(native.asks.pending()).toHaveLength(2);
    native.asks.settle(asks[0]!.id, { decision: 'deny', by: 'operator' });
    native.asks.settle(asks[2]!.id, { decision: 'kill', by: 'operator' });
    await turn;
    expect(resultsIn(native.api.requests.at(-1)?.body).map(({ content, isError }) => [content, isError])).toEqual([
      ['Permission denied by user', true],
      ['a', false],
      ['Killed by the operator before it ran.', true],
    ]);
  });

  it('has no deadlock and no race: writers and readers decided in any order all end, writers alone', async () => {
    const calls = Array.from({ length: 24 }, (_, at) =>
      at % 3 === 0
        ? callTool('Glob', { pattern: `*${at}` })
        : bash(`test ! -e busy && touch busy && sleep 0.01 && rm busy && echo ${at}`),
    );
    await start([together(...calls)]);
    const turn = native.agent.prompt('go');
    const random = seededRandom(15);
    const shuffled = (await asked(16)).sort(() => random.next() - 0.5);
    for (const { id } of shuffled) native.asks.settle(id, allow);
    expect(await turn).toMatchObject({ kind: 'completed' });
    const results = resultsIn(native.api.requests.at(-1)?.body);
    expect(results).toHaveLength(24);
    // a concurrent second writer would have found the file and failed
    expect(results.filter(({ isError }) => isError)).toEqual([]);
  });

  it('output is displayed correctly: live, in order, stderr told apart, and in the result', async () => {
    await start([bash('echo out; sleep 0.01; echo err >&2; sleep 0.01; echo end; exit 3')]);
    const turn = native.agent.prompt('go');
    native.asks.settle((await asked())[0]!.id, allow);
    await turn;
    const shown = native.events.flatMap((event) => (event.type === 'tool.output' ? [[event.stream, event.text]] : []));
    expect(shown).toEqual([
      ['stdout', 'out\n'],
      ['stderr', 'err\n'],
      ['stdout', 'end\n'],
    ]);
    const [result] = resultsIn(native.api.requests.at(-1)?.body);
    expect(result?.content).toBe('out\nend\n[stderr]\nerr\nExit code 3');
    expect(result).toMatchObject({ isError: true });
  });

  it("permission decisions don't affect future commands", async () => {
    await start([bash('echo same'), bash('echo same'), bash('echo same')]);
    const turn = native.agent.prompt('go');
    const first = (await asked())[0]!;
    native.asks.settle(first.id, allow);
    const second = await waitFor(() => native.asks.pending().find(({ id }) => id !== first.id), { what: 'the second' });
    native.asks.settle(second.id, { decision: 'deny', by: 'operator' });
    const third = await waitFor(() => native.asks.pending().find(({ id }) => id !== second.id), { what: 'the third' });
    native.asks.settle(third.id, allow);
    await turn;
    expect(native.asks.context.alwaysAllowRules).toEqual({});
    expect(native.asks.context.alwaysDenyRules).toEqual({});
  });
});
