import type { Approval } from '../contract/approvals.ts';
import { ago, paint } from './output.ts';

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
  if (kind === 'plan') return (plan ?? '(no plan was written)').split('\n');
  if (kind === 'question') return ((toolInput.questions ?? []) as Question[]).flatMap(questionLines);
  const { command, file_path: path, old_string: before, new_string: after, content, message, ...rest } = toolInput;
  if (typeof command === 'string') return command.split('\n').map((line) => `$ ${line}`);
  if (typeof message === 'string') return [message];
  if (typeof path !== 'string') return [JSON.stringify(toolInput)];
  return [
    path,
    ...changed('-', before),
    ...changed('+', after ?? content),
    ...(before || after || content ? [] : [JSON.stringify(rest)]),
  ];
}

function changed(sign: '-' | '+', text: unknown): string[] {
  if (typeof text !== 'string') return [];
  const lines = text.split('\n');
  const shown = lines.slice(0, 20).map((line) => paint(sign === '-' ? 'red' : 'green', `${sign} ${line}`));
  return lines.length > 20 ? [...shown, `  … ${lines.length - 20} more lines`] : shown;
}

function questionLines({ question, multiSelect, options = [] }: Question): string[] {
  const labels = options.map(
    ({ label, description }, index) => `  ${index + 1}. ${label}${description ? paint('dim', `  ${description}`) : ''}`,
  );
  return [multiSelect ? `${question} (several may be chosen)` : question, ...labels];
}
