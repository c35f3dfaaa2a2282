import { ABOUT } from '../../../src/contract/call-shape.ts';
import { displayPath } from '../ui/display-path.ts';

export interface ShapePart {
  text: string;
  /** A wildcard. */
  any: boolean;
}

interface Shaped {
  toolName: string;
  shape: string;
  project: string;
}

/** A shape in readable form: without pattern escapes, and relative to the project's folder. */
export function describeShape({ toolName, shape, project }: Shaped): ShapePart[] {
  if (shape === '*' && !ABOUT[toolName]) return [{ text: 'any input', any: true }];
  const parts = partsOf(shape);
  const [first, ...rest] = parts;
  if (!first || first.any) return parts;
  const text = ABOUT[toolName] === 'command' ? sayCommand(first.text, project) : displayPath(first.text, project);
  // Only the folder remains: `*.ts` in the project.
  return [{ text: text.replace(/^\.\//, ''), any: false }, ...rest].filter((part) => part.text !== '');
}

function partsOf(shape: string): ShapePart[] {
  const parts: ShapePart[] = [];
  for (const [piece] of shape.matchAll(/\\[\s\S]|[\s\S]/gu)) {
    const any = piece === '*';
    const text = piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece;
    const last = parts.at(-1);
    if (last && last.any === any) last.text += text;
    else parts.push({ text, any });
  }
  return parts;
}

/** Project paths inside a command. */
function sayCommand(command: string, project: string): string {
  if (!project.startsWith('/') || project === '/') return command;
  return command.replaceAll(`${project}/`, '');
}
