import type { RunnerSpec } from '../../contract/runners.ts';
import type { DriverHost } from '../driver.ts';
import { ClaudeAgent, type ClaudeAgentOptions, type ClientStart, startQuery } from './claude-agent.ts';
import { lateHost } from './late-host.ts';

export interface EarlyClient {
  claim(host: DriverHost, options: ClaudeAgentOptions): ClaudeAgent;
}

/** Connects the SDK to the client first: the rest of the runner loads while the client starts. */
export function startEarly(
  spec: RunnerSpec,
  { noteProcess, ...start }: ClientStart & Pick<DriverHost, 'noteProcess'>,
): EarlyClient {
  const { host, claim } = lateHost({ spec, noteProcess });
  const started = startQuery(host, start);
  return {
    claim(given, options) {
      claim(given);
      return new ClaudeAgent(given, options, started);
    },
  };
}
