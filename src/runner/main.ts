import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelPrice } from '../contract/prices.ts';
import { RUNNER_FILES, RunnerSpec } from '../contract/runners.ts';
import { Prices } from '../daemon/transcripts/prices/prices.ts';
import type { Spare } from './claude/spare.ts';
import type { DriverHost, HostedAgent } from './driver.ts';
import { hostSession } from './host.ts';
import { rotateLog } from './log.ts';

const log = (text: string) => void process.stderr.write(`${new Date().toISOString()} ${text}\n`);

/** `node runner.js DIR`: the folder holds what the session is to be. */
async function main(dir: string): Promise<void> {
  rotateLog(join(dir, RUNNER_FILES.log));
  await run(dir, readSpec(dir));
}

/**
 * `node runner.js DIR --spare`: the folder holds what can be known before there is a session. The rest comes as a message; until then
 * nobody needs us, and we end with the daemon that started us.
 */
async function waitForSession(dir: string): Promise<void> {
  rotateLog(join(dir, RUNNER_FILES.log));
  const { prepareSpare } = await import('./claude/spare.ts');
  let spare: Spare | undefined;
  const leave = () => {
    spare?.close();
    process.exit(0);
  };
  process.once('disconnect', leave);
  spare = await prepareSpare(readSpec(dir), { env: process.env, log });
  const given = new Promise<unknown>((resolve) => process.once('message', resolve));
  process.send?.('ready');
  const spec = RunnerSpec.parse(await given);
  process.removeListener('disconnect', leave);
  process.disconnect?.();
  await run(dir, spec, spare);
}

const readSpec = (dir: string): RunnerSpec =>
  RunnerSpec.parse(JSON.parse(readFileSync(join(dir, RUNNER_FILES.spec), 'utf8')));

async function run(dir: string, spec: RunnerSpec, spare?: Spare): Promise<void> {
  const prices = new Prices(spec.prices as ModelPrice[]);
  await hostSession({ dir, spec, log, startAgent: (host) => startAgent(host, { prices, spare }) });
}

/** Loaded when needed: each of them costs memory that the other has no use for. */
async function startAgent(
  host: DriverHost,
  { prices, spare }: { prices: Prices; spare: Spare | undefined },
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
  const options = { costs, env: process.env, log };
  return spare ? spare.claim(host, options) : startClaude(host, options);
}

/** This runs as `dist/runner.js`, in the folder of the package. */
function ownVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

const [dir, mode] = process.argv.slice(2);
if (dir === undefined) {
  process.stderr.write('usage: runner DIR [--spare]\n');
  process.exit(2);
}
(mode === '--spare' ? waitForSession(dir) : main(dir)).then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`${error.stack ?? error.message}\n`);
    process.exit(1);
  },
);
