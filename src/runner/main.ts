import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelPrice } from '../contract/prices.ts';
import { RUNNER_FILES, RunnerSpec } from '../contract/runners.ts';
import { Prices } from '../daemon/transcripts/prices/prices.ts';
import type { DriverHost, HostedAgent } from './driver.ts';
import { hostSession } from './host.ts';
import { rotateLog } from './log.ts';

/** `node runner.js DIR`: the folder holds what the session is to be. */
async function main(dir: string): Promise<void> {
  const log = (text: string) => void process.stderr.write(`${new Date().toISOString()} ${text}\n`);
  rotateLog(join(dir, RUNNER_FILES.log));
  const spec = RunnerSpec.parse(JSON.parse(readFileSync(join(dir, RUNNER_FILES.spec), 'utf8')));
  const prices = new Prices(spec.prices as ModelPrice[]);
  await hostSession({
    dir,
    spec,
    log,
    startAgent: (host) => startAgent(host, { prices, log }),
  });
}

/** Loaded when needed: each of them costs memory that the other has no use for. */
async function startAgent(
  host: DriverHost,
  { prices, log }: { prices: Prices; log: (text: string) => void },
): Promise<HostedAgent> {
  if (host.spec.driver === 'native') {
    const { startNative } = await import('./native/native-agent.ts');
    return startNative(host, { env: process.env, prices, version: ownVersion() });
  }
  const [{ startClaude }, { Costs }] = await Promise.all([
    import('./claude/claude-agent.ts'),
    import('./claude/costs.ts'),
  ]);
  const costs = new Costs((model, tokens) => prices.costOf(model, tokens)?.totalUsd ?? null);
  return startClaude(host, { costs, env: process.env, log });
}

/** This runs as `dist/runner.js`, in the folder of the package. */
function ownVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
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
