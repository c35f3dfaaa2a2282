import { recordOf, textOf } from '../../../contract/values.ts';
import { countOf, type Line } from '../lines/line.ts';
import type { FoundPart } from './entry.ts';
import { readUserText } from './user-notices.ts';

type Notice = Extract<FoundPart, { kind: 'notice' }>;

/** undefined: a line that only counts something. */
export function readSystemNotice(fields: Line): Notice | undefined {
  const subtype = textOf(fields.subtype);
  const text = textOf(fields.content).trim();
  if (subtype === 'compact_boundary') return notice('compacted', describeCompaction(fields));
  if (subtype === 'api_error') return notice('api_error', describeError(fields) || text);
  if (subtype === 'stop_hook_summary') return describeStopHooks(fields);
  if (text === '') return undefined;
  if (subtype !== 'local_command') return notice('system', text);
  const [part] = readUserText(text, {});
  if (!part) return undefined;
  return part.kind === 'notice' ? part : notice('command_output', text);
}

function describeCompaction(fields: Line): string {
  const { trigger, preTokens } = recordOf(fields.compactMetadata);
  const how = trigger === 'auto' ? 'automatically' : trigger === 'manual' ? 'on request' : '';
  const size = countOf(preTokens) > 0 ? `${countOf(preTokens)} tokens before` : '';
  const detail = [how, size].filter(Boolean).join(', ');
  return detail ? `Conversation compacted (${detail})` : 'Conversation compacted';
}

function describeError(fields: Line): string {
  const error = recordOf(fields.error);
  const message = textOf(recordOf(recordOf(error.error).error).message) || textOf(error.message);
  const status = countOf(error.status);
  const attempt = countOf(fields.retryAttempt) > 0 ? `attempt ${countOf(fields.retryAttempt)}` : '';
  return [status > 0 ? `API error ${status}` : 'API error', message, attempt].filter(Boolean).join(', ');
}

function describeStopHooks(fields: Line): Notice | undefined {
  const errors = (Array.isArray(fields.hookErrors) ? fields.hookErrors : []).filter(
    (error) => typeof error === 'string',
  );
  const reason = fields.preventedContinuation === true ? textOf(fields.stopReason) || 'Stopped by a hook' : '';
  const text = [...errors, reason].filter(Boolean).join('\n');
  return text ? notice('hook', text) : undefined;
}

function notice(name: string, text: string): Notice {
  return { kind: 'notice', notice: name, text };
}
