import { contentOf, type FieldValues, type FormField, fieldsOf } from '../contract/form-fields.ts';
import { CliError, EXIT } from './exit.ts';
import { oneLine } from './output.ts';

/** Turns `name=value` words into a form's answer. Checked here, so the error can say what to type. */
export function readFields(schema: unknown, given: string[]): Record<string, unknown> {
  const fields = fieldsOf(schema);
  const values: FieldValues = {};
  for (const word of given) {
    const { field, value } = readWord(word, fields);
    values[field.name] = value;
  }
  const outcome = contentOf(fields, values);
  if ('problem' in outcome) throw new CliError(`${outcome.problem}\n${describeFields(fields)}`, EXIT.usage);
  return outcome.content;
}

function readWord(word: string, fields: FormField[]): { field: FormField; value: FieldValues[string] } {
  const at = word.indexOf('=');
  const name = at < 0 ? word : word.slice(0, at);
  const field = fields.find((one) => one.name === name);
  if (fields.length === 0) throw new CliError('This form has no fields. Accept it with gctl allow.', EXIT.usage);
  if (at < 0) throw new CliError(`"${word}" isn't name=value.\n${describeFields(fields)}`, EXIT.usage);
  if (!field) throw new CliError(`The form has no field "${name}".\n${describeFields(fields)}`, EXIT.usage);
  return { field, value: readValue(field, word.slice(at + 1)) };
}

const YES_NO: Record<string, boolean> = { true: true, yes: true, false: false, no: false };

function readValue(field: FormField, text: string): FieldValues[string] {
  // anything else is left as is, and the form's own check refuses it
  if (field.type === 'boolean') return YES_NO[text.toLowerCase()] ?? text;
  if (field.type === 'choice') return optionOf(field, text);
  if (field.type !== 'choices') return text;
  return text === '' ? [] : text.split(',').map((part) => optionOf(field, part.trim()));
}

/** By value or by label. */
function optionOf({ options }: FormField, text: string): string {
  return (
    options.find(({ value, label }) => value === text || label.toLowerCase() === text.toLowerCase())?.value ?? text
  );
}

export function describeFields(fields: FormField[]): string {
  return fields.map((field) => `  ${describeField(field)}`).join('\n');
}

const TYPES: Record<FormField['type'], string> = {
  text: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  choice: 'one of',
  choices: 'any of',
};
const INPUTS: Record<string, string> = {
  email: 'email address',
  url: 'URL',
  date: 'date',
  'datetime-local': 'date and time',
};

function describeField({ name, title, description, required, type, input, options, initial }: FormField): string {
  const kind = type === 'text' ? (INPUTS[input] ?? TYPES.text) : TYPES[type];
  const choices = options.map(({ value, label }) => (label === value ? value : `${value} (${label})`)).join(', ');
  const preset = initial === '' || initial === false || (Array.isArray(initial) && initial.length === 0);
  const notes = [
    `${kind}${choices ? ` ${choices}` : ''}`,
    ...(required ? ['required'] : []),
    ...(preset ? [] : [`default ${Array.isArray(initial) ? initial.join(',') : initial}`]),
  ];
  const about = [title === name ? '' : title, description].filter(Boolean).join(': ');
  return oneLine(`${name}=…  ${notes.join(', ')}${about ? `. ${about}` : ''}`);
}
