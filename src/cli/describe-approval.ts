import type { Approval } from '../contract/approvals.ts';
import { fieldsOf } from '../contract/form-fields.ts';
import { sayDuration } from './duration.ts';
import { ago, paint, plain } from './output.ts';
import { describeFields } from './read-fields.ts';

interface Question {
  question: string;
  multiSelect?: boolean;
  options?: { label: string; description?: string }[];
}

/** What is asked, so that it can be decided from these lines alone. */
export function describeApproval(approval: Approval): string {
  const head = `${paint('bold', approval.id.slice(0, 8))}  ${paint('yellow', titleOf(approval))}  ${paint('dim', `${ago(approval.createdAt)} · session ${approval.sessionId.slice(0, 8)}`)}`;
  return [head, ...bodyOf(approval).map((line) => `  ${line}`), ...limitOf(approval)].join('\n');
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
    permission: `May I use ${toolName}?`,
    question: 'A question',
    plan: 'A plan',
    elicitation: `${toolName} asks`,
  }[kind];
}

function bodyOf({ kind, toolInput, plan }: Approval): string[] {
  if (kind === 'plan') return plain(plan ?? '(no plan was written)').split('\n');
  if (kind === 'question') return ((toolInput.questions ?? []) as Question[]).flatMap(questionLines);
  const { command, file_path: path, message, ...more } = toolInput;
  if (typeof command === 'string') {
    const { command: _shown, ...others } = toolInput;
    return [
      ...plain(command)
        .split('\n')
        .map((line) => `$ ${line}`),
      ...rest(others),
    ];
  }
  if (kind === 'elicitation') {
    const { schema, server: _server, mode: _mode, ...others } = more;
    const fields = fieldsOf(schema);
    const form = fields.length > 0 ? plain(describeFields(fields)).split('\n') : rest({ schema });
    return [plain(typeof message === 'string' ? message : 'Asks for input'), ...form, ...rest(others)];
  }
  if (typeof path !== 'string') return rest(toolInput);
  const { file_path: _path, old_string: before, new_string: after, content, ...others } = toolInput;
  return [plain(path), ...changed('-', before), ...changed('+', after ?? content), ...rest(others)];
}

/** Nothing is left out: what is not shown might be what matters. */
function rest(input: Record<string, unknown>): string[] {
  return Object.values(input).some((value) => value !== undefined && value !== null)
    ? [plain(JSON.stringify(input))]
    : [];
}

function changed(sign: '-' | '+', text: unknown): string[] {
  if (typeof text !== 'string') return [];
  const lines = text.split('\n');
  const shown = lines.slice(0, 20).map((line) => paint(sign === '-' ? 'red' : 'green', `${sign} ${line}`));
  return lines.length > 20 ? [...shown, `  … ${lines.length - 20} more lines`] : shown;
}

function questionLines({ question, multiSelect, options = [] }: Question): string[] {
  const labels = options.map(
    ({ label, description }, index) =>
      `  ${index + 1}. ${plain(label)}${description ? paint('dim', `  ${description}`) : ''}`,
  );
  return [`${plain(question)}${multiSelect ? ' (several may be chosen)' : ''}`, ...labels];
}
