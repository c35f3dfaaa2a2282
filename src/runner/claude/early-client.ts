import type { RunnerSpec } from '../../contract/runners.ts';
import type { DriverHost } from '../driver.ts';
import { ClaudeAgent, type ClaudeAgentOptions, startQuery } from './claude-agent.ts';
import { lateHost } from './late-host.ts';

export interface EarlyClient {
  claim(host: DriverHost, options: ClaudeAgentOptions): ClaudeAgent;
}

/** Starts the client first: it takes longer to start than the rest of the runner, which loads in the meantime. */
export function startEarly(
  spec: RunnerSpec,
  { env, log, noteProcess }: Pick<ClaudeAgentOptions, 'env' | 'log'> & Pick<DriverHost, 'noteProcess'>,
): EarlyClient {
  const { host, claim } = lateHost({ spec, noteProcess });
  const started = startQuery(host, { env, log });
  return {
    claim(given, options) {
      claim(given);
      return new ClaudeAgent(given, options, started);
    },
  };
}
