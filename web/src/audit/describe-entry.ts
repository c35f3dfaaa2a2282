import type { AuditEntry } from '../../../src/contract/audit.ts';
import { describingField } from '../../../src/contract/describing-field.ts';
import { recordOf } from '../../../src/contract/values.ts';
import type { Tone } from '../sessions/state-style.ts';
import { displayPath } from '../ui/display-path.ts';
import { clipLine, humanize } from '../ui/format.ts';

/** `approval.decided` → `Approval decided`. */
export function actionLabel(action: string): string {
  return humanize(action.replaceAll('.', ' '));
}

const TONES: Record<string, Tone> = {
  allow: 'green',
  deny: 'red',
  refused: 'red',
  stopped: 'orange',
  delivered: 'green',
  not_delivered: 'orange',
  answered_in_terminal: 'gray',
  released: 'gray',
  cancelled: 'gray',
  expired: 'gray',
};

export function outcomeTone(outcome: string | null): Tone {
  return (outcome && TONES[outcome]) || 'gray';
}

interface Subject {
  text: string;
  /** A command or a path rather than prose. */
  code: boolean;
}

/** The subject in one line: the command, file, prompt, or the entry's own detail. */
export function subjectOf({ by, toolInput, detail }: AuditEntry, folder?: string | null): Subject {
  const field = describingField(recordOf(toolInput));
  if (field) return { text: clipLine(field.isPath ? displayPath(field.value, folder) : field.value, 300), code: true };
  // The rule is shown next to it.
  return { text: by === 'rule' ? '' : clipLine(detail ?? '', 300), code: false };
}
