import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { DomainError } from '../../../errors.ts';
import { describeParseError, positionIn } from '../../../json-text.ts';

const BOM = '\uFEFF';

/** The client reads strict JSON, so anything else is refused here too, and the file stays as it is. */
export class SettingsInvalid extends DomainError {
  readonly line: number;
  readonly column: number;

  constructor(at: { file: string; line: number; column: number }, problem: string) {
    super(
      'settings.invalid',
      422,
      `${at.file} is not valid JSON: ${problem} at line ${at.line}, column ${at.column}.`,
      {
        ...at,
      },
    );
    this.line = at.line;
    this.column = at.column;
  }
}

/** Valid JSON, but no settings: there is no place in it where a hook could go. */
export class SettingsShapeWrong extends DomainError {
  constructor(file: string, what: string, { found, wanted }: { found: string; wanted: string }) {
    super('settings.wrong_shape', 422, `${file}: ${what} is ${found}, but must be ${wanted}. Fix it and try again.`, {
      file,
      what,
    });
  }
}

export interface SettingsText {
  bom: string;
  /** Without the byte order mark. */
  text: string;
  /** undefined: only whitespace. */
  root: Node | undefined;
}

export function parseSettings(source: string, file: string): SettingsText {
  const bom = source.startsWith(BOM) ? BOM : '';
  const text = source.slice(bom.length);
  if (/^[ \t\r\n]*$/.test(text)) return { bom, text, root: undefined };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const first = errors.sort((a, b) => a.offset - b.offset)[0];
  if (first)
    throw new SettingsInvalid({ file, ...positionIn(text, first.offset) }, `${describeParseError(text, first)},`);
  return { bom, text, root };
}
