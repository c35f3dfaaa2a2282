import Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsStreaming, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { watchBytes } from './watch-bytes.ts';

/** Sends one request. Throws before the first event or while iterating. Never retries. */
export type StreamModel = (
  request: MessageCreateParamsStreaming,
  options: { signal: AbortSignal },
) => Promise<AsyncIterable<RawMessageStreamEvent>>;

export interface ApiSettings {
  apiKey: string;
  baseUrl?: string;
  /** Older gateways: `{"anthropic-version": "2023-06-01", "x-api-key": "…", "authorization": null}`. */
  headers?: Record<string, string | null>;
  /** A connection without a byte for this long is dead. Pings count, so long thinking doesn't trip it. */
  silenceMs?: number;
}

const SILENCE_MS = 180_000;

/** Any server that speaks the Messages API. */
export function anthropicModel({ apiKey, baseUrl, headers = {}, silenceMs = SILENCE_MS }: ApiSettings): StreamModel {
  const client = new Anthropic({
    apiKey,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    defaultHeaders: headers,
    // The SDK's retries are silent and stop at the headers. Ours are visible and cover the whole stream.
    maxRetries: 0,
    logLevel: 'off',
    fetch: (input, init) => watchBytes(input, init, silenceMs),
  });
  return (request, { signal }) => client.messages.create(request, { signal, timeout: silenceMs });
}
