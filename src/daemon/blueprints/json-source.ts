import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { z } from 'zod';
import type { BlueprintProblem } from '../../contract/blueprints.ts';
import { describeParseError, positionIn } from '../json-text.ts';
import { nearest } from './nearest.ts';

type Path = (string | number)[];

/** JSON text that knows the position of each value. */
export class JsonSource {
  readonly #file: string;
  readonly #text: string;
  readonly #root: Node | undefined;
  readonly problems: BlueprintProblem[] = [];

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text.replace(/^\uFEFF/, '');
    const errors: ParseError[] = [];
    this.#root = parseTree(this.#text, errors, { disallowComments: true, allowTrailingComma: false });
    const first = errors.toSorted((a, b) => a.offset - b.offset)[0];
    if (first) {
      const message = `This is not valid JSON: ${describeParseError(this.#text, first)}.`;
      this.problems.push({
        severity: 'error',
        file,
        ...positionIn(this.#text, first.offset),
        path: this.#pathAt(first),
        message,
      });
    }
    this.#noteDoubles(this.#root, []);
  }

  get value(): unknown {
    return this.#root && getNodeValue(this.#root);
  }

  /** The parsed value. undefined: see `problems`. */
  read<T extends z.ZodType>(schema: T): z.infer<T> | undefined {
    if (this.problems.length > 0) return undefined;
    const parsed = schema.safeParse(this.value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const path = issue.path as Path;
      if (issue.code === 'unrecognized_keys') {
        for (const key of issue.keys) this.note([...path, key], unknownField(key, schema, path));
      } else if (issue.code === 'invalid_type' && !this.#has(path)) {
        this.note(path, `"${path.join('.')}" is missing.`);
      } else this.note(path, `${issue.message}.`);
    }
    return undefined;
  }

  #has(path: Path): boolean {
    return this.#root !== undefined && findNodeAtLocation(this.#root, path) !== undefined;
  }

  /** At the field, or the nearest enclosing one that exists. */
  note(path: Path, message: string, severity: BlueprintProblem['severity'] = 'error'): void {
    this.problems.push({ severity, file: this.#file, ...this.#position(path), path, message });
  }

  #position(path: Path): { line: number; column: number } {
    for (let length = path.length; this.#root && length > 0; length--) {
      const node = findNodeAtLocation(this.#root, path.slice(0, length));
      // Point at the key if there is one: that's what people look for.
      const at = node?.parent?.type === 'property' ? node.parent : node;
      if (at) return positionIn(this.#text, at.offset);
    }
    return positionIn(this.#text, this.#root?.offset ?? 0);
  }

  /** The top-level field with the syntax error, so a form can show it there. */
  #pathAt({ offset }: ParseError): Path {
    const field = this.#root?.children?.findLast((one) => one.offset <= offset)?.children?.[0];
    return field ? [String(field.value)] : [];
  }

  /** For a duplicate key the last one wins, which is easy to miss. */
  #noteDoubles(node: Node | undefined, path: Path): void {
    const keys = new Set<string>();
    for (const [index, child] of (node?.children ?? []).entries()) {
      if (child.type !== 'property') {
        this.#noteDoubles(child, [...path, index]);
        continue;
      }
      const [key, value] = child.children ?? [];
      const name = String(key?.value);
      if (keys.has(name)) {
        const at = positionIn(this.#text, child.offset);
        const message = `"${name}" appears twice.`;
        this.problems.push({ severity: 'error', file: this.#file, ...at, path: [...path, name], message });
      }
      keys.add(name);
      this.#noteDoubles(value, [...path, name]);
    }
  }
}

function unknownField(key: string, schema: z.ZodType, path: Path): string {
  const shape = (schema as { shape?: Record<string, unknown> }).shape;
  const close = path.length === 0 && shape ? nearest(key, Object.keys(shape)) : undefined;
  return close ? `There is no field "${key}". Did you mean "${close}"?` : `There is no field "${key}".`;
}
