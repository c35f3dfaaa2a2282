import type { Stats } from '../../agent/stats.ts';
import { describingField } from '../../contract/describing-field.ts';
import { recordOf } from '../../contract/values.ts';
import { count, oneLine, paint, readable } from '../output.ts';

const MOST_LINES = 200;

/** A call in one line: what it is about, never its whole input. */
export function describeCall(name: string, input: unknown): string {
  const text = oneLine(describingField(recordOf(input))?.value ?? '');
  return `${name}${text === '' ? '' : ` ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`}`;
}

export function colorDiff(patch: string): string {
  const lines = patch.replace(/^Index: .*\n=*\n?/, '').split('\n');
  const shown = lines.slice(0, MOST_LINES).map((line) => {
    if (line.startsWith('+') && !line.startsWith('+++')) return paint('green', line);
    if (line.startsWith('-') && !line.startsWith('---')) return paint('red', line);
    return line.startsWith('@@') ? paint('cyan', line) : line;
  });
  if (lines.length > MOST_LINES) shown.push(paint('dim', `… ${lines.length - MOST_LINES} more lines`));
  return shown.join('\n');
}

const CHANGE_LINES = 12;

/** An edit that needed no approval, shown after the fact. */
export function describeChange(name: string, input: unknown): string[] {
  const { edits, old_string, new_string, content } = recordOf(input);
  if (name === 'Write') return changed([{ new_string: content }]);
  if (name === 'Edit') return changed([{ old_string, new_string }]);
  return name === 'MultiEdit' && Array.isArray(edits) ? changed(edits.map(recordOf)) : [];
}

function changed(edits: Record<string, unknown>[]): string[] {
  const lines = edits.flatMap(({ old_string, new_string }) => [
    ...linesOf(old_string).map((line) => paint('red', `  - ${line}`)),
    ...linesOf(new_string).map((line) => paint('green', `  + ${line}`)),
  ]);
  if (lines.length <= CHANGE_LINES) return lines;
  return [...lines.slice(0, CHANGE_LINES), paint('dim', `  … ${lines.length - CHANGE_LINES} more lines`)];
}

const linesOf = (text: unknown): string[] =>
  typeof text === 'string' && text !== '' ? readable(text).split('\n') : [];

const TASK_MARKS: Record<string, string> = { completed: '☑', in_progress: '▣', pending: '☐' };

/** The agent's task list, when it changed. */
export function describeTasks(name: string, input: unknown): string[] {
  const { todos } = recordOf(input);
  if (name !== 'TodoWrite' || !Array.isArray(todos)) return [];
  return todos.map((todo) => {
    const { status, content } = recordOf(todo);
    return `  ${TASK_MARKS[String(status)] ?? '☐'} ${oneLine(String(content))}`;
  });
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
  const rows: [string, string][] = [
    ['Cost', `$${costUsd.toFixed(4)}${unpriced}`],
    ['Requests', number(requests)],
    [
      'Tokens',
      `${number(usage.input)} in, ${number(usage.output)} out, ${number(usage.cacheRead)} cached, ${number(usage.cacheWrite)} written to the cache`,
    ],
    ['Context', `${number(contextTokens)} of ${number(contextLimit)}`],
    ...[...decisions].map(([decision, times]): [string, string] => ['Decision', `${times} × ${decision}`]),
    ...(waitedForOperatorMs > 0 ? [['Waited', `${seconds(waitedForOperatorMs)} for you`] as [string, string]] : []),
    ...[...tools].map(([name, { calls, failures, totalMs, longestMs }]): [string, string] => [
      name,
      `${count(calls, 'call')}, ${failures} failed, ${seconds(totalMs)} total, longest ${seconds(longestMs)}`,
    ]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`);
}

const number = (value: number): string => value.toLocaleString('en-US');
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
