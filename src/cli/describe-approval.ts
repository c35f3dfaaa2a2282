import type { Approval } from '../contract/approvals.ts';
import { ago, paint, plain } from './output.ts';

interface Question {
  question: string;
  multiSelect?: boolean;
  options?: { label: string; description?: string }[];
}

/** What is asked, so that it can be decided from these lines alone. */
export function describeApproval(approval: Approval): string {
  const head = `${paint('bold', approval.id.slice(0, 8))}  ${paint('yellow', titleOf(approval))}  ${paint('dim', `${ago(approval.createdAt)} · session ${approval.sessionId.slice(0, 8)}`)}`;
  return [head, ...bodyOf(approval).map((line) => `  ${line}`)].join('\n');
}

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
  if (kind === 'elicitation' && typeof message === 'string') return [plain(message), ...rest(more)];
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
