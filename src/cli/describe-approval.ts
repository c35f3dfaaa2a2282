import type { Approval } from '../contract/approvals.ts';
import { fieldsOf } from '../contract/form-fields.ts';
import { splitHidden } from '../contract/hidden-characters.ts';
import { sayDuration } from './duration.ts';
import { ago, oneLine, paint } from './output.ts';
import { describeFields } from './read-fields.ts';

interface Question {
  question: string;
  multiSelect?: boolean;
  options?: { label: string; description?: string }[];
}

/** How much of a change is listed. */
const LISTED_LINES = 20;

/** What is asked, so that it can be decided from these lines alone. A list cuts long changes; whoever decides sees all of them. */
export function describeApproval(approval: Approval, { maxLines = LISTED_LINES } = {}): string {
  const head = `${paint('bold', approval.id.slice(0, 8))}  ${paint('yellow', titleOf(approval))}  ${paint('dim', `${ago(approval.createdAt)} · session ${oneLine(approval.sessionId.slice(0, 8))}`)}`;
  return [head, ...bodyOf(approval, maxLines).map((line) => `  ${line}`), ...limitOf(approval)].join('\n');
}

/** When the time to answer is over, and what then happens. */
function limitOf({ expiresAt, releaseAt, releaseTo = 'terminal' }: Approval): string[] {
  const until = expiresAt ?? releaseAt;
  if (until === undefined) return [];
  const left = sayDuration((until - Date.now()) / 1000);
  const then = expiresAt === undefined ? GIVEN_BACK[releaseTo] : 'Denied';
  return [`  ${paint('dim', `${then} in ${left} if nobody answers`)}`];
}

const GIVEN_BACK = {
  terminal: 'Given back to its terminal',
  client: 'Denied by Claude Code, which runs without a terminal,',
  host: 'Given back to the program that runs Claude Code',
};

function titleOf({ kind, toolName }: Approval): string {
  return {
    permission: `Allow ${oneLine(toolName)}?`,
    question: 'A question',
    plan: 'A plan',
    elicitation: `${oneLine(toolName)} asks`,
  }[kind];
}

function bodyOf({ kind, toolInput, plan }: Approval, maxLines: number): string[] {
  if (kind === 'plan') return spelled(plan ?? '(no plan was written)').split('\n');
  if (kind === 'question') return ((toolInput.questions ?? []) as Question[]).flatMap(questionLines);
  const { command, file_path: path, message, ...more } = toolInput;
  if (typeof command === 'string') {
    const { command: _shown, ...others } = toolInput;
    return [
      ...spelled(command)
        .split('\n')
        .map((line) => `$ ${line}`),
      ...rest(others),
    ];
  }
  if (kind === 'elicitation') {
    const { schema, server: _server, mode: _mode, ...others } = more;
    const fields = fieldsOf(schema);
    const form = fields.length > 0 ? spelled(describeFields(fields)).split('\n') : rest({ schema });
    return [spelled(typeof message === 'string' ? message : 'Asks for input'), ...form, ...rest(others)];
  }
  if (typeof path !== 'string') return rest(toolInput);
  const { file_path: _path, old_string: before, new_string: after, content, ...others } = toolInput;
  return [
    spelled(path),
    ...changed('-', before, maxLines),
    ...changed('+', after ?? content, maxLines),
    ...rest(others),
  ];
}

/** Nothing is left out: what is not shown might be what matters. */
function rest(input: Record<string, unknown>): string[] {
  return Object.values(input).some((value) => value !== undefined && value !== null)
    ? [spelled(JSON.stringify(input))]
    : [];
}

function changed(sign: '-' | '+', text: unknown, maxLines: number): string[] {
  if (typeof text !== 'string') return [];
  const lines = spelled(text).split('\n');
  const shown = lines.slice(0, maxLines).map((line) => paint(sign === '-' ? 'red' : 'green', `${sign} ${line}`));
  return lines.length > maxLines ? [...shown, `  … ${lines.length - maxLines} more lines`] : shown;
}

/** With what would not be seen spelled out: <U+202E>. */
function spelled(text: string): string {
  return splitHidden(text)
    .map((part) => (part.hidden ? `<${part.text}>` : part.text))
    .join('');
}

function questionLines({ question, multiSelect, options = [] }: Question): string[] {
  const labels = options.map(
    ({ label, description }, index) =>
      `  ${index + 1}. ${spelled(label)}${description ? paint('dim', `  ${spelled(description)}`) : ''}`,
  );
  return [`${spelled(question)}${multiSelect ? ' (several may be chosen)' : ''}`, ...labels];
}
