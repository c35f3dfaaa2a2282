import type { Stats } from '../../agent/stats.ts';
import { describingField } from '../../contract/describing-field.ts';
import { recordOf } from '../../contract/values.ts';
import { oneLine, paint } from '../output.ts';

const MOST_LINES = 200;

/** A call in one line: what it is about, never its whole input. */
export function describeCall(name: string, input: unknown): string {
  const text = oneLine(describingField(recordOf(input))?.value ?? '');
  return `${name}${text === '' ? '' : ` ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`}`;
}

export function colorDiff(patch: string): string {
  const lines = patch.split('\n');
  const shown = lines.slice(0, MOST_LINES).map((line) => {
    if (line.startsWith('+') && !line.startsWith('+++')) return paint('green', line);
    if (line.startsWith('-') && !line.startsWith('---')) return paint('red', line);
    return line.startsWith('@@') ? paint('cyan', line) : line;
  });
  if (lines.length > MOST_LINES) shown.push(paint('dim', `… ${lines.length - MOST_LINES} more lines`));
  return shown.join('\n');
}

export function describeStats(stats: Stats): string[] {
  const {
    usage,
    costUsd,
    unpricedModels,
    contextTokens,
    contextLimit,
    decisions,
    tools,
    requests,
    waitedForOperatorMs,
  } = stats;
  const unpriced = unpricedModels.size > 0 ? ` (no price known for ${[...unpricedModels].join(', ')})` : '';
  return [
    `Cost      $${costUsd.toFixed(4)}${unpriced}`,
    `Requests  ${requests}`,
    `Tokens    ${usage.input} in, ${usage.output} out, ${usage.cacheRead} cached, ${usage.cacheWrite} written to the cache`,
    `Context   ${contextTokens} of ${contextLimit}`,
    ...[...decisions].map(([decision, count]) => `Decision  ${count} × ${decision}`),
    ...(waitedForOperatorMs > 0 ? [`Waited    ${(waitedForOperatorMs / 1000).toFixed(1)} s for you`] : []),
    ...[...tools].map(
      ([name, { calls, failures, totalMs, longestMs }]) =>
        `${name.padEnd(8)}  ${calls} calls, ${failures} failed, ${(totalMs / 1000).toFixed(1)} s total, longest ${(longestMs / 1000).toFixed(1)} s`,
    ),
  ];
}
