import type { Approval } from '../contract/approvals.ts';
import { fieldsOf } from '../contract/form-fields.ts';
import { revealHidden } from '../contract/hidden-characters.ts';
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

/** Everything needed to decide. A list truncates long changes; the decision itself shows them in full. */
export function describeApproval(approval: Approval, { maxLines = LISTED_LINES } = {}): string {
  const head = `${paint('bold', approval.id.slice(0, 8))}  ${paint('yellow', titleOf(approval))}  ${paint('dim', `${ago(approval.createdAt)} · session ${oneLine(approval.sessionId.slice(0, 8))}`)}`;
  const body = bodyOf(approval, maxLines).flatMap((text) => text.split('\n'));
  return [head, ...body.map((line) => `  ${line}`), ...limitOf(approval)].join('\n');
}

/** When time runs out, and what happens then. */
function limitOf({ expiresAt, releaseAt, releaseTo = 'terminal' }: Approval): string[] {
  const until = expiresAt ?? releaseAt;
  if (until === undefined) return [];
  const left = sayDuration((until - Date.now()) / 1000);
  const then = expiresAt === undefined ? GIVEN_BACK[releaseTo] : 'is denied';
  return [`  ${paint('dim', `Without an answer, it ${then} in ${left}`)}`];
}

const GIVEN_BACK = {
  terminal: 'goes back to its terminal',
  client: 'is denied by Claude Code, which has no terminal to ask in,',
  host: 'goes back to the program running Claude Code',
};

function titleOf({ kind, toolName }: Approval): string {
  return {
    permission: `Allow ${oneLine(toolName)}?`,
    question: 'Question',
    plan: 'Plan',
    elicitation: `${oneLine(toolName)} asks`,
  }[kind];
}

function bodyOf({ kind, toolInput, plan }: Approval, maxLines: number): string[] {
  if (kind === 'plan') return revealHidden(plan ?? '(empty plan)').split('\n');
  if (kind === 'question') return ((toolInput.questions ?? []) as Question[]).flatMap(questionLines);
  const { command, file_path: path, message, ...more } = toolInput;
  if (typeof command === 'string') {
    const { command: _shown, ...others } = toolInput;
    return [
      ...revealHidden(command)
        .split('\n')
        .map((line) => `$ ${line}`),
      ...rest(others),
    ];
  }
  if (kind === 'elicitation') {
    const { schema, server: _server, mode: _mode, ...others } = more;
    const fields = fieldsOf(schema);
    const form = fields.length > 0 ? revealHidden(describeFields(fields)).split('\n') : rest({ schema });
    return [revealHidden(typeof message === 'string' ? message : 'Asks for input'), ...form, ...rest(others)];
  }
  if (typeof path !== 'string') return rest(toolInput);
  const { file_path: _path, old_string: before, new_string: after, content, ...others } = toolInput;
  return [
    oneLine(path),
    ...changed('-', before, maxLines),
    ...changed('+', after ?? content, maxLines),
    ...rest(others),
  ];
}

/** Leaves nothing out: a hidden field might be the one that matters. */
function rest(input: Record<string, unknown>): string[] {
  return Object.values(input).some((value) => value !== undefined && value !== null)
    ? [revealHidden(JSON.stringify(input))]
    : [];
}

function changed(sign: '-' | '+', text: unknown, maxLines: number): string[] {
  if (typeof text !== 'string') return [];
  const lines = revealHidden(text).split('\n');
  const shown = lines.slice(0, maxLines).map((line) => paint(sign === '-' ? 'red' : 'green', `${sign} ${line}`));
  return lines.length > maxLines ? [...shown, `  … ${lines.length - maxLines} more lines`] : shown;
}

function questionLines({ question, multiSelect, options = [] }: Question): string[] {
  const labels = options.map(
    ({ label, description }, index) =>
      `  ${index + 1}. ${oneLine(label)}${description ? paint('dim', `  ${oneLine(description)}`) : ''}`,
  );
  return [`${revealHidden(question)}${multiSelect ? ' (choose one or more)' : ''}`, ...labels];
}
