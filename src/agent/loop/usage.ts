import type { Tokens } from '../../contract/usage.ts';

/** Token counts of one request, as the API reports them. */
export interface RequestUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cacheWrite1h: number;
}

interface ApiUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  cache_creation?: { ephemeral_1h_input_tokens?: number | null } | null;
}

export function startUsage(): RequestUsage {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 };
}

/** Counts in a stream are running totals, and gateways omit some of them. The last value wins. */
export function addUsage(usage: RequestUsage, told: ApiUsage | null | undefined): void {
  usage.input = told?.input_tokens ?? usage.input;
  usage.output = told?.output_tokens ?? usage.output;
  usage.cacheRead = told?.cache_read_input_tokens ?? usage.cacheRead;
  usage.cacheWrite = told?.cache_creation_input_tokens ?? usage.cacheWrite;
  usage.cacheWrite1h = told?.cache_creation?.ephemeral_1h_input_tokens ?? usage.cacheWrite1h;
}

/** How full the context is after this request. */
export function contextTokens({ input, output, cacheRead, cacheWrite }: RequestUsage): number {
  return input + output + cacheRead + cacheWrite;
}

export function toTokens(usage: RequestUsage): Tokens {
  return {
    inputTokens: usage.input,
    outputTokens: usage.output,
    cacheReadTokens: usage.cacheRead,
    cacheCreationTokens: usage.cacheWrite,
    cacheCreation1hTokens: usage.cacheWrite1h,
  };
}
