/** A field of a form that a server asks to be filled in: flat, as the protocol has it. */
export interface FormField {
  name: string;
  title: string;
  description: string;
  required: boolean;
  type: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';
  /** For the browser's own check: email, url, date, datetime-local. */
  input: string;
  options: Array<{ value: string; label: string }>;
  initial: string | boolean | string[];
}

type Schema = Record<string, unknown>;
export type FieldValues = Record<string, string | boolean | string[]>;

export function fieldsOf(schema: unknown): FormField[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    if (!isRecord(field)) return [];
    const type = typeOf(field);
    const options = optionsOf(type === 'choices' && isRecord(field.items) ? field.items : field);
    return {
      name,
      title: text(field.title) || name,
      description: text(field.description),
      required: required.includes(name),
      type,
      input: INPUTS[text(field.format)] ?? 'text',
      options,
      initial: initialOf(type, field.default),
    };
  });
}

const INPUTS: Record<string, string> = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' };

function typeOf(field: Schema): FormField['type'] {
  if (field.type === 'boolean' || field.type === 'number' || field.type === 'integer') return field.type;
  if (field.type === 'array') return 'choices';
  return optionsOf(field).length > 0 ? 'choice' : 'text';
}

function optionsOf(field: Schema): FormField['options'] {
  const named = [field.oneOf, field.anyOf].find(Array.isArray) as Schema[] | undefined;
  if (named) {
    return named.flatMap((one) =>
      isRecord(one) && one.const !== undefined
        ? { value: String(one.const), label: text(one.title) || String(one.const) }
        : [],
    );
  }
  if (!Array.isArray(field.enum)) return [];
  const names = Array.isArray(field.enumNames) ? field.enumNames : [];
  return field.enum.map((value, index) => ({ value: String(value), label: text(names[index]) || String(value) }));
}

function initialOf(type: FormField['type'], given: unknown): FormField['initial'] {
  if (type === 'boolean') return given === true;
  if (type === 'choices') return Array.isArray(given) ? given.map(String) : [];
  return given === undefined || given === null ? '' : String(given);
}

/** The answer in the types that the server asked for, or which field is missing or wrong. */
export function contentOf(
  fields: FormField[],
  values: FieldValues,
): { content: Record<string, unknown> } | { problem: string } {
  const content: Record<string, unknown> = {};
  for (const { name, title, type, required, initial } of fields) {
    const value = values[name] ?? initial;
    const missing = value === '' || (Array.isArray(value) && value.length === 0);
    if (missing && required) return { problem: `${title} is needed.` };
    if (missing) continue;
    if (type !== 'number' && type !== 'integer') {
      content[name] = value;
      continue;
    }
    const number = Number(value);
    if (Number.isNaN(number)) return { problem: `${title} is a number.` };
    if (type === 'integer' && !Number.isInteger(number)) return { problem: `${title} is a whole number.` };
    content[name] = number;
  }
  return { content };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
