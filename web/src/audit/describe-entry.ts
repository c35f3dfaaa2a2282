import type { AuditEntry } from '../../../src/contract/audit.ts';
import type { Tone } from '../sessions/look.ts';
import { clipLine, humanise } from '../ui/format.ts';

/** `approval.decided` → `Approval decided`. */
export function actionLabel(action: string): string {
  return humanise(action.replaceAll('.', ' '));
}

const TONES: Record<string, Tone> = {
  allow: 'green',
  deny: 'red',
  stopped: 'orange',
  answered_in_terminal: 'gray',
  cancelled: 'gray',
  expired: 'gray',
};

export function outcomeTone(outcome: string | null): Tone {
  return (outcome && TONES[outcome]) || 'gray';
}

/** What it was about, in one line: the command, the file, the prompt, or what the entry itself says. */
export function subjectOf({ toolName, toolInput, detail }: AuditEntry): string {
  const input = typeof toolInput === 'object' && toolInput !== null ? (toolInput as Record<string, unknown>) : {};
  for (const field of ['command', 'file_path', 'notebook_path', 'url', 'query', 'pattern', 'path', 'prompt']) {
    const value = input[field];
    if (typeof value === 'string' && value.trim()) return clipLine(value, 300);
  }
  return clipLine(detail ?? toolName ?? '', 300);
}
