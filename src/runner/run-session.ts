import { readFileSync } from 'node:fs';
import type { ModelPrice } from '../contract/prices.ts';
import type { RunnerSpec } from '../contract/runners.ts';
import { Prices } from '../daemon/transcripts/prices/prices.ts';
import type { EarlyClient } from './claude/early-client.ts';
import type { Spare } from './claude/spare.ts';
import type { DriverHost, HostedAgent } from './driver.ts';
import { hostSession } from './host.ts';
import type { ProcessesFile } from './processes-file.ts';

interface RunOptions {
  dir: string;
  spec: RunnerSpec;
  /** Set if the client is already running. */
  processes?: ProcessesFile | undefined;
  log: (text: string) => void;
}

/** A client that is already running. */
interface Started {
  early?: EarlyClient | undefined;
  spare?: Spare | undefined;
}

export async function runSession({ early, spare, ...options }: RunOptions & Started): Promise<void> {
  const prices = new Prices(options.spec.prices as ModelPrice[]);
  await hostSession({ ...options, startAgent: (host) => startAgent(host, options, { prices, early, spare }) });
}

/**
 * The session arrives as a message. Until then the runner is a spare that ends with the daemon that started it. `spec` holds what is known
 * up front.
 */
export async function waitForSession({ spec: seed, log, ...options }: RunOptions): Promise<void> {
  // everything that the session will need
  const [{ prepareSpare }] = await Promise.all([
    import('./claude/spare.ts'),
    import('./claude/costs.ts'),
    import('./wire.ts'),
  ]);
  let spare: Spare | undefined;
  const leave = () => {
    spare?.close();
    process.exit(0);
  };
  process.once('disconnect', leave);
  spare = await prepareSpare(seed, { env: process.env, log, dir: options.dir });
  // from the daemon that started us, so it isn't validated
  const given = new Promise<RunnerSpec>((resolve) =>
    process.once('message', (message) => resolve(message as RunnerSpec)),
  );
  process.send?.('ready');
  const spec = await given;
  process.removeListener('disconnect', leave);
  process.disconnect?.();
  await runSession({ ...options, spec, log, spare });
}

/** Loads only the agent it needs: each one costs memory that the other has no use for. */
async function startAgent(
  host: DriverHost,
  { log }: Pick<RunOptions, 'log'>,
  { prices, early, spare }: Started & { prices: Prices },
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
  if (early) return early.claim(host, options);
  return spare ? spare.claim(host, options) : startClaude(host, options);
}

/** This runs as `dist/runner.js`, in the package folder. */
function ownVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
