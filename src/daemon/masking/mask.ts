/** Replaces a secret in any text that is shown or exported. */
export const MASK = '[masked]';

/** A placeholder for a value: `$NAME`, `%NAME%`, `********`, `<your password>`, `{{ name }}`. */
const PLACEHOLDER =
  /^(?:\$[A-Za-z_]\w*(?: .*)?|\$[{(].*|%\w+%|[*.…•x#-]{3,}|<.*>|\{\{.*|\{(?![A-Z0-9-]{3,12}\}\S)[^=]{0,60}|\[masked.*|.{0,40}(?:\.\.\.|…|\*{4}|x{8}).{0,60}|(?:your|my|the|some|enter|insert|put|replace)[-_ ][\w -]{2,40}|[\w-]{2,40}[-_](?:here|placeholder|goes-here)|change-?me|redacted|pass|password|(?:x{3,}|y{3,})[\w-]*)$/i;

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}
