/** Replaces a secret in any text that is shown or exported. */
export const MASK = '[masked]';

/** A placeholder for a value: `$NAME`, `%NAME%`, `********`, `<your password>`, `{{ name }}`. */
const PLACEHOLDER = /^(?:\$[A-Za-z_]\w*(?: .*)?|\$[{(].*|%\w+%|[*.…•x#-]{3,}|<.*>|\{\{.*|\{[^=]{0,60}|\[masked.*)$/i;

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}
