import { drawChart } from '../draw-chart.ts';
import { bash, edit, read, todos } from '../tool-calls.ts';
import { type Part, SONNET } from './part.ts';

const STEPS = ['Reproduce it', 'Find the pattern', 'Find the cause', 'Fix it', 'Two hundred clean runs'];
const RUNS = [0.2, 0.25, 0.22, 0.81, 0.24, 0.21, 0.9, 0.26, 0.23, 0.2, 0.86, 0.22, 0.27, 0.21, 0.78, 0.25];

/** Hunts a test that fails once in thirty runs by running it repeatedly. */
export const flaky: Part = {
  project: 'harbor-api',
  model: SONNET,
  startedAgo: 41,
  context: 731_000,
  async play(session) {
    const { main, project } = session;
    const at = (file: string) => `${project.path}/${file}`;
    await session.prompt(
      "`webhooks.test.ts` fails about once in thirty runs on CI, always in “retries with backoff”. Here's how long the runs took. Find out why. Don't just raise the timeout.",
      { image: drawChart(RUNS, { mark: 0.6 }) },
    );
    await main.pause(9);
    await main.use(todos(STEPS, 0), {
      thinking:
        'About every fourth run in the chart is slow, but failures are rarer. So slowness is necessary but not sufficient: two things have to coincide.',
    });
    await main.use(
      bash(
        'for i in $(seq 1 30); do npx vitest run webhooks --silent || echo "run $i"; done',
        'run 17\n AssertionError: expected 3 calls, got 2\n  at webhooks.test.ts:88',
        { description: 'Run it thirty times', fails: true },
      ),
      { lasts: 95 },
    );
    await main.use(todos(STEPS, 1));
    await main.use(read(at('src/webhooks/retry.ts'), RETRY), {
      say: 'Reproduced in run 17. The third call is missing, not late, so a longer timeout would only hide it.',
    });
    await main.pause(22);
    await main.use(
      bash(
        'git log --oneline -8 -- src/webhooks/retry.ts',
        '77ac1e0 Cap the backoff at 30 s\n1b02f9d Jitter\n90e4d3c Retry on 429',
        { description: 'Recent changes' },
      ),
      {
        thinking:
          "Jitter multiplies by a random factor, and the cap is applied before it. With fake timers, the test advances exactly to the nominal delay, so when jitter is above one the timer hasn't fired yet. That's one in thirty with this distribution.",
      },
    );
    await main.use(todos(STEPS, 2));
    await main.use(edit(at('src/webhooks/retry.ts'), RETRY, RETRY_MENDED, { startLine: 4 }), {
      say: "The jitter is added after the cap, so a delay can exceed what the test advances. That's a real bug too: production waits longer than the documented 30 s.",
    });
    await main.use(todos(STEPS, 4));
    await main.untilAgo(3.1);
    await main.use(
      bash(
        'for i in $(seq 1 200); do npx vitest run webhooks --silent || exit 1; done; echo "200 clean runs"',
        '200 clean runs',
        { description: 'Two hundred runs in a row' },
      ),
      { lasts: 'forever' },
    );
    await main.use(todos(STEPS, 5, { isOver: true }));
    await session.finish(
      '**Found and fixed.** The jitter was applied after the cap, so a retry could wait up to 39 s instead of 30, and the test advanced its clock by 30.\n\n```ts\nconst delay = Math.min(CAP_MS, base * 2 ** attempt * jitter());\n```\n\n200 runs in a row passed. Before the fix, the odds of that were one in 900.',
    );
  },
};

const RETRY = `export function delayFor(attempt: number, jitter: () => number): number {
  const capped = Math.min(CAP_MS, BASE_MS * 2 ** attempt);
  return capped * jitter();
}`;

const RETRY_MENDED = `export function delayFor(attempt: number, jitter: () => number): number {
  // apply jitter first so the delay never exceeds the cap
  return Math.min(CAP_MS, BASE_MS * 2 ** attempt * jitter());
}`;
