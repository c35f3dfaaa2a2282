import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import type { TurnResult } from '../../contract/runners.ts';

type ResultMessage = Extract<SDKMessage, { type: 'result' }>;

export function resultOf(
  message: ResultMessage,
  { interrupted, background }: { interrupted: boolean; background: boolean },
): TurnResult {
  const turns = message.num_turns;
  if (message.subtype === 'success' && !message.is_error)
    return { text: message.result, problems: [], error: null, interrupted: false, turns, background };
  const error = message.subtype === 'success' ? message.result : message.errors?.join('; ') || ERRORS[message.subtype];
  return { text: null, problems: [], error: interrupted ? null : error, interrupted, turns, background: false };
}

const ERRORS: Record<Exclude<ResultMessage['subtype'], 'success'>, string> = {
  error_during_execution: 'Claude Code reported an error.',
  error_max_turns: 'It reached the maximum number of turns.',
  error_max_budget_usd: "It reached the client's own budget.",
  error_max_structured_output_retries: "It couldn't produce an answer in the requested format.",
};

/** Why the account or the model refuses for now; undefined if it doesn't. */
export function retryOf(message: SDKMessage): { why: string; until: number | null; limit: string | null } | undefined {
  if (message.type === 'rate_limit_event') {
    const { status, resetsAt, rateLimitType } = message.rate_limit_info;
    if (status !== 'rejected') return undefined;
    const limit = rateLimitType ?? 'usage limit';
    return { why: `The account has reached its ${limit.replaceAll('_', ' ')} limit.`, until: toMs(resetsAt), limit };
  }
  if (message.type === 'system' && message.subtype === 'api_retry') {
    const { attempt, max_retries: most, retry_delay_ms: delay, error_status: status } = message;
    const what = status === null ? 'The connection to the model failed' : `The model responded with status ${status}`;
    return { why: `${what}. Trying again (${attempt} of ${most}).`, until: Date.now() + delay, limit: null };
  }
  return undefined;
}

const toMs = (seconds: number | undefined): number | null => (seconds === undefined ? null : seconds * 1000);
