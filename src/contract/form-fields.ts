import { isRecord, textOf as text } from './values.ts';
/** A field of a form an MCP server wants filled in: flat, as in the protocol. */
export interface FormField {
  name: string;
  title: string;
  description: string;
  required: boolean;
  type: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';
  /** For the browser's own validation: email, url, date, datetime-local. */
  input: string;
  options: Array<{ value: string; label: string }>;
  initial: string | boolean | string[];
  /** Limits a text's length, a number's value, or the number of choices. */
  min: number | undefined;
  max: number | undefined;
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
    const [min, max] = BOUNDS[type];
    return {
      name,
      title: text(field.title) || name,
      description: text(field.description),
      required: required.includes(name),
      type,
      input: INPUTS[text(field.format)] ?? 'text',
      options,
      initial: initialOf(type, field.default),
      min: number(field[min]),
      max: number(field[max]),
    };
  });
}

const INPUTS: Record<string, string> = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' };

const BOUNDS: Record<FormField['type'], [string, string]> = {
  text: ['minLength', 'maxLength'],
  choice: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: ['', ''],
  choices: ['minItems', 'maxItems'],
};

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

/** The answer in the types the server asked for, or which field is missing or wrong. */
export function contentOf(
  fields: FormField[],
  values: FieldValues,
): { content: Record<string, unknown> } | { problem: string } {
  const content: Record<string, unknown> = {};
  for (const field of fields) {
    const value = values[field.name] ?? field.initial;
    if (value === '' || (Array.isArray(value) && value.length === 0 && !field.required)) continue;
    content[field.name] = field.type === 'number' || field.type === 'integer' ? Number(value) : value;
  }
  const problem = contentProblem(fields, content);
  return problem ? { problem } : { content };
}

/** Why this answer doesn't match the form. undefined: it does. */
export function contentProblem(fields: FormField[], content: Record<string, unknown>): string | undefined {
  const unknown = Object.keys(content).filter((name) => !fields.some((field) => field.name === name));
  if (unknown.length > 0) {
    const known = fields.length > 0 ? `Fields: ${fields.map(({ name }) => name).join(', ')}.` : 'The form has none.';
    return `No field ${unknown.map((name) => `"${name}"`).join(', ')}. ${known}`;
  }
  for (const field of fields) {
    const value = content[field.name];
    const problem = value === undefined ? missing(field) : valueProblem(field, value);
    if (problem) return `${field.title} ${problem}.`;
  }
  return undefined;
}

const missing = ({ required }: FormField): string | undefined => (required ? 'is required' : undefined);

function valueProblem(field: FormField, value: unknown): string | undefined {
  const { type, required, options, min, max } = field;
  const isOption = (one: unknown) => options.length === 0 || options.some((option) => option.value === one);
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'number':
    case 'integer':
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
      if (type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
      return outside(value, { min, max, unit: '' });
    case 'choices':
      if (!Array.isArray(value) || !value.every(isOption)) return `takes any of: ${labels(field)}`;
      if (required && value.length === 0) return 'is required';
      return outside(value.length, { min, max, unit: ' choices' });
    default:
      if (typeof value !== 'string') return 'must be text';
      if (type === 'choice') return isOption(value) ? undefined : `must be one of: ${labels(field)}`;
      if (required && value === '') return 'is required';
      return outside(value.length, { min, max, unit: ' characters' }) ?? formatProblem(field, value);
  }
}

function outside(
  value: number,
  { min, max, unit }: { min: number | undefined; max: number | undefined; unit: string },
): string | undefined {
  if (min !== undefined && value < min) return `must be at least ${min}${unit}`;
  return max !== undefined && value > max ? `must be at most ${max}${unit}` : undefined;
}

function formatProblem({ input }: FormField, value: string): string | undefined {
  if (input === 'email') return /^[^\s@]+@[^\s@]+$/.test(value) ? undefined : 'must be an email address';
  if (input === 'url') return URL.canParse(value) ? undefined : 'must be a URL';
  if (input === 'date')
    return /^\d{4}-\d\d-\d\d$/.test(value) && isDate(value) ? undefined : 'must be a date: 2026-01-31';
  if (input === 'datetime-local') return isDate(value) ? undefined : 'must be a date and time: 2026-01-31T09:30';
  return undefined;
}

const isDate = (value: string): boolean => !Number.isNaN(Date.parse(value));

const labels = ({ options }: FormField): string =>
  options.map(({ value, label }) => (label === value ? value : `${value} (${label})`)).join(', ');

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
