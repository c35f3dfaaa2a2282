import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelPrice } from '../contract/prices.ts';
import { RUNNER_FILES, RunnerSpec } from '../contract/runners.ts';
import { Prices } from '../daemon/transcripts/prices/prices.ts';
import { startClaude } from './claude/claude-agent.ts';
import { Costs } from './claude/costs.ts';
import { hostSession } from './host.ts';
import { rotateLog } from './log.ts';

/** `node runner.js DIR`: the folder holds what the session is to be. */
async function main(dir: string): Promise<void> {
  const log = (text: string) => void process.stderr.write(`${new Date().toISOString()} ${text}\n`);
  rotateLog(join(dir, RUNNER_FILES.log));
  const spec = RunnerSpec.parse(JSON.parse(readFileSync(join(dir, RUNNER_FILES.spec), 'utf8')));
  const prices = new Prices(spec.prices as ModelPrice[]);
  const costs = new Costs((model, tokens) => prices.costOf(model, tokens)?.totalUsd ?? null);
  await hostSession({
    dir,
    spec,
    log,
    startAgent: async (host) => startClaude(host, { costs, env: process.env, log }),
  });
}

const [dir] = process.argv.slice(2);
if (dir === undefined) {
  process.stderr.write('usage: runner DIR\n');
  process.exit(2);
}
main(dir).then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`${error.stack ?? error.message}\n`);
    process.exit(1);
  },
);
