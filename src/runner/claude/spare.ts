import { prewarm, type SDKUserMessage, type SpareProcess, startup } from '@anthropic-ai/claude-agent-sdk';
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

/** `seed`: everything that is fixed before the session is known. In a folder of the runner's own, the session's folder isn't known either. */
export function prepareSpare(
  seed: RunnerSpec,
  options: Pick<ClaudeAgentOptions, 'env' | 'log'> & { dir: string },
): Promise<Spare> {
  return seed.cwd === options.dir ? park(seed, options) : startInPlace(seed, options);
}

/** The client has started in its session's folder and only waits for the prompt. */
async function startInPlace(seed: RunnerSpec, { env, log }: Pick<ClaudeAgentOptions, 'env' | 'log'>): Promise<Spare> {
  const started: RunnerProcess[] = [];
  const late = lateHost({ spec: seed, noteProcess: (process) => void started.push(process) });
  const ready = await startup({ options: sdkOptions(late.host, { env, log }) });
  return {
    close: () => ready.close(),
    async claim(given, more) {
      late.claim(given);
      for (const process of started) given.noteProcess(process);
      const input = new InputStream();
      return new ClaudeAgent(given, more, { input, query: ready.query(input as AsyncIterable<SDKUserMessage>) });
    },
  };
}

/** The client has started, and takes its folder and model when a session claims it. */
async function park(seed: RunnerSpec, { env, log }: Pick<ClaudeAgentOptions, 'env' | 'log'>): Promise<Spare> {
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
