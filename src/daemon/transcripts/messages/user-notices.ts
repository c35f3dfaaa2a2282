import { recordOf, textOf } from '../../../contract/values.ts';
import type { Line } from '../lines/line.ts';
import type { FoundPart } from './entry.ts';

/** Tells what the client writes into a user line from what a person wrote. */
export function readUserText(text: string, fields: Line): FoundPart[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  if (fields.isCompactSummary === true) return [notice('compacted', trimmed)];
  if (trimmed.startsWith('[Request interrupted by user')) return [notice('interrupted', trimmed.slice(1, -1))];
  if (trimmed.startsWith('<task-notification>')) return [notice('task', describeTask(trimmed))];
  if (trimmed.startsWith('<command-name>') || trimmed.startsWith('<command-message>'))
    return [notice('command', describeCommand(trimmed))];
  if (trimmed.startsWith('<bash-input>')) return [notice('command', `! ${inside(trimmed, 'bash-input')}`)];
  if (trimmed.startsWith('<bash-stdout>') || trimmed.startsWith('<bash-stderr>'))
    return outputNotice(trimmed, ['bash-stdout', 'bash-stderr']);
  if (trimmed.startsWith('<local-command-stdout>') || trimmed.startsWith('<local-command-stderr>'))
    return outputNotice(trimmed, ['local-command-stdout', 'local-command-stderr']);
  if (isHookFeedback(trimmed, fields)) return [notice('hook', trimmed)];
  if (fields.isMeta === true) return [notice('system', withoutReminder(trimmed))];
  return [{ kind: 'text', text }];
}

/** A reminder to the model, without its tags. */
export function withoutReminder(text: string): string {
  const inner = text.startsWith('<system-reminder>') ? inside(text, 'system-reminder') : text;
  return inner.trim();
}

export function describeTask(text: string): string {
  const summary = inside(text, 'summary') || inside(text, 'status') || 'Background task update';
  const result = inside(text, 'result');
  return result ? `${summary}\n\n${result}` : summary;
}

function describeCommand(text: string): string {
  const name = inside(text, 'command-name') || inside(text, 'command-message');
  return [name, inside(text, 'command-args')].filter(Boolean).join(' ');
}

function outputNotice(text: string, tags: string[]): FoundPart[] {
  const output = tags
    .map((tag) => inside(text, tag))
    .filter(Boolean)
    .join('\n');
  return output ? [notice('command_output', output)] : [];
}

function isHookFeedback(text: string, fields: Line): boolean {
  return (
    recordOf(fields.origin).kind === 'hook' || (fields.isMeta === true && /^[A-Za-z]{2,40} hook feedback/.test(text))
  );
}

function notice(name: string, text: string): FoundPart {
  return { kind: 'notice', notice: name, text };
}

/** The text of the first such element, '' if there is none. */
function inside(text: string, tag: string): string {
  const open = text.indexOf(`<${tag}>`);
  if (open === -1) return '';
  const from = open + tag.length + 2;
  const close = text.indexOf(`</${tag}>`, from);
  return text.slice(from, close === -1 ? undefined : close).trim();
}

export function hookText(fields: Line): string {
  const { blockingError, content, stdout, stderr } = fields;
  const error = typeof blockingError === 'string' ? blockingError : textOf(recordOf(blockingError).blockingError);
  const said = Array.isArray(content) ? content.filter((part) => typeof part === 'string').join('\n') : textOf(content);
  return [error, said, said || error ? '' : textOf(stderr) || textOf(stdout)].filter(Boolean).join('\n').trim();
}
