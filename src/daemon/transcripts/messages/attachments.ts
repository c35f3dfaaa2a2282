import { recordOf, textOf } from '../../../contract/values.ts';
import { type Line, recordsOf } from '../lines/line.ts';
import type { Entry, FoundPart } from './entry.ts';
import { describeTask, hookText, withoutReminder } from './user-notices.ts';

/** What the client adds to the conversation: files, reminders, hook output, a prompt typed meanwhile. */
export function readAttachment(fields: Line, { at }: { at: number | null }): Partial<Entry> {
  const attachment = recordOf(fields.attachment);
  const type = textOf(attachment.type);
  if (type === 'prompt_snapshot') return {};
  if (type === 'queued_command') return readQueued(attachment, at);
  if (type.startsWith('hook_')) return { parts: readHook(type, attachment) };
  const text = describe(type, attachment, fields);
  return { parts: [{ kind: 'notice', notice: 'attachment', text }] };
}

function readQueued(attachment: Line, at: number | null): Partial<Entry> {
  const { prompt } = attachment;
  const text =
    typeof prompt === 'string'
      ? prompt
      : recordsOf(prompt)
          .map(({ text }) => textOf(text))
          .filter(Boolean)
          .join('\n');
  if (text.trim() === '') return {};
  if (attachment.commandMode !== 'task-notification' && !text.startsWith('<task-notification>'))
    return { role: 'user', at, isMeta: false, parts: [{ kind: 'text', text }] };
  return { parts: [{ kind: 'notice', notice: 'task', text: describeTask(text) }] };
}

/** A hook that only observed has no output. */
function readHook(type: string, attachment: Line): FoundPart[] {
  const said = type === 'hook_success' ? textOf(attachment.content).trim() : hookText(attachment);
  if (said === '') return [];
  const name = textOf(attachment.hookName) || textOf(attachment.hookEvent);
  return [{ kind: 'notice', notice: 'hook', text: name ? `${name}: ${said}` : said }];
}

function describe(type: string, attachment: Line, fields: Line): string {
  const rendered = recordsOf(fields.rendered).map(({ content }) => textOf(content));
  const name = textOf(attachment.displayPath) || textOf(attachment.filename) || textOf(attachment.path);
  const text = withoutReminder(rendered.join('\n').trim()) || textOf(attachment.text);
  return [[type.replaceAll('_', ' '), name].filter(Boolean).join(': '), text].filter(Boolean).join('\n');
}
