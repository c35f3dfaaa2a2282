import { describingField } from '../../../src/contract/describing-field.ts';
import type { AgentState } from '../../../src/contract/sessions.ts';
import { clip } from '../ui/format.ts';

export interface Ask {
  text: string;
  /** A command or a path rather than prose. */
  code: boolean;
  /** How many more questions come with this one. */
  more: number;
}

const MAX_CHARS = 400;
const PROSE = new Set(['description', 'subject', 'prompt']);

/**
 * What the operator needs to decide: the command, question, plan or error. It comes from a tool's input, so it may have any shape; an
 * unknown one yields nothing.
 */
export function requestPreview({ group, context }: AgentState): Ask | null {
  if (group !== 'needs_you' || !context) return null;
  const questions = Array.isArray(context.questions) ? context.questions : [];
  const question = firstText(questions[0] ?? {}, ['question']);
  if (question) return { text: question, code: false, more: questions.length - 1 };
  const prose = firstText(context, ['plan', 'message', 'details', 'error']);
  if (prose) return { text: prose.replace(/^#+\s+/gm, ''), code: false, more: 0 };
  const field = describingField(context);
  return field ? { text: clip(field.value.trim(), { max: MAX_CHARS }), code: !PROSE.has(field.name), more: 0 } : null;
}

function firstText(context: Record<string, unknown>, fields: string[]): string | null {
  for (const field of fields) {
    const value = context[field];
    if (typeof value === 'string' && value.trim()) return clip(value.trim(), { max: MAX_CHARS });
  }
  return null;
}
