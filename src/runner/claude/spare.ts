import { prewarm, type SDKUserMessage, type SpareProcess } from '@anthropic-ai/claude-agent-sdk';
import type { RunnerProcess, RunnerSpec } from '../../contract/runners.ts';
import type { DriverHost } from '../driver.ts';
import { ClaudeAgent, type ClaudeAgentOptions, sdkOptions, startClaude } from './claude-agent.ts';
import { InputStream } from './input-stream.ts';
import { lateHost } from './late-host.ts';

/** A client that was started ahead of time and waits for a session. */
export interface Spare {
  /** Hands it to the session. If that isn't possible, the session starts its own client. */
  claim(host: DriverHost, options: ClaudeAgentOptions): Promise<ClaudeAgent>;
  close(): void;
}

/** `seed`: everything that is fixed before the session is known. */
export async function prepareSpare(
  seed: RunnerSpec,
  { env, log }: Pick<ClaudeAgentOptions, 'env' | 'log'>,
): Promise<Spare> {
  const started: RunnerProcess[] = [];
  const late = lateHost({ spec: seed, noteProcess: (process) => void started.push(process) });
  const { cwd: _cwd, ...options } = sdkOptions(late.host, { env, log });
  const parked: SpareProcess = await prewarm({ options });
  return {
    close: () => parked.close(),
    async claim(given, more) {
      const { cwd, model, permissionMode, systemPrompt } = given.spec;
      late.claim(given);
      for (const process of started) given.noteProcess(process);
      const input = new InputStream();
      const query = parked.claim({
        prompt: input as AsyncIterable<SDKUserMessage>,
        options: {
          cwd,
          ...(model === undefined ? {} : { model }),
          ...(permissionMode === undefined ? {} : { permissionMode }),
          ...(systemPrompt ? { appendSystemPrompt: systemPrompt } : {}),
        },
      });
      try {
        await parked.claimed;
      } catch (error) {
        const { message } = error as Error;
        log(`The spare could not be used: ${message}`);
        // only that option was rejected; the session still runs
        if (!message.startsWith('option_not_applied')) {
          input.end();
          parked.close();
          return startClaude(given, more);
        }
      }
      return new ClaudeAgent(given, more, { input, query });
    },
  };
}
