import type { Approval } from '../../../../src/contract/approvals.ts';
import { describingField } from '../../../../src/contract/describing-field.ts';
import { pathInProject } from '../../ui/display-path.ts';
import { clipLine } from '../../ui/format.ts';

/** The request in a few words. */
export function titleOf({ kind, toolName, toolInput }: Approval): string {
  if (kind === 'plan') return 'Plan to review';
  if (kind === 'question') return questionsIn(toolInput).length > 1 ? 'Questions for you' : 'Question for you';
  if (kind === 'elicitation') return `${clipLine(String(toolInput.server ?? 'A server'), 60)} asks`;
  return `Allow ${clipLine(toolName, 80)}?`;
}

/** One line that tells it apart from others in a list. Paths are relative to the project's folder. */
export function lineOf(approval: Approval, folder?: string | null): { text: string; code: boolean } {
  const { kind, toolInput, toolName, plan } = approval;
  if (kind === 'plan') return { text: firstLine(plan ?? text(toolInput.plan) ?? 'A plan'), code: false };
  if (kind === 'question')
    return { text: clipLine(questionsIn(toolInput)[0]?.question ?? 'A question', 300), code: false };
  if (kind === 'elicitation') return { text: clipLine(text(toolInput.message) ?? 'A form', 300), code: false };
  const field = describingField(toolInput);
  if (!field) return { text: toolName, code: true };
  const { value, isPath } = field;
  return { text: clipLine(isPath ? pathInProject(value, folder) : value, 300), code: true };
}

export interface Question {
  question: string;
  header: string;
  multiSelect: boolean;
  options: Array<{ label: string; description: string }>;
}

/** Lenient parsing of what a model wrote: anything that isn't a question is dropped. */
export function questionsIn(input: Record<string, unknown>): Question[] {
  const list = Array.isArray(input.questions) ? input.questions : [];
  return list.flatMap((item: Record<string, unknown> | null) => {
    const question = text(item?.question);
    if (!item || question === null) return [];
    const options = Array.isArray(item.options) ? item.options : [];
    return {
      question,
      header: text(item.header) ?? '',
      multiSelect: item.multiSelect === true,
      options: options.flatMap((option: Record<string, unknown> | string | null) => {
        const label = typeof option === 'string' ? option : text(option?.label);
        if (!label) return [];
        return { label, description: (typeof option === 'object' && text(option?.description)) || '' };
      }),
    };
  });
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const firstLine = (plan: string) =>
  clipLine(
    plan
      .slice(0, 2_000)
      .split('\n')
      .find((line) => line.trim())
      ?.replace(/^#+\s*/, '') ?? 'A plan',
    300,
  );
