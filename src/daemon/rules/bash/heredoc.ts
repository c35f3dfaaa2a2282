export interface Heredoc {
  delimiter: string;
  /** Its text is taken literally. */
  isQuoted: boolean;
  /** `<<-`: leading tabs are stripped. */
  isIndented: boolean;
}

/** `<<'EOF'` at this position, or undefined for a delimiter that isn't a plain name. */
export function readHeredocStart(text: string, at: number): { heredoc: Heredoc; end: number } | undefined {
  const start = /<<(-?)[ \t]*(?:'(\w+)'|"(\w+)"|\\([A-Za-z]\w*)|(\w+))(?=[\s;&|)<>]|$)/y;
  start.lastIndex = at;
  const [whole, dash, single, double, escaped, plain] = start.exec(text) ?? [];
  const delimiter = single ?? double ?? escaped ?? plain;
  if (whole === undefined || delimiter === undefined) return undefined;
  const heredoc = { delimiter, isQuoted: plain === undefined, isIndented: dash === '-' };
  return { heredoc, end: at + whole.length };
}

/** The text from the start of a line to the delimiter on its own line, and where the line after that starts. */
export function readHeredocBody(
  text: string,
  from: number,
  heredoc: Heredoc,
): { body: string; end: number } | undefined {
  const lines: string[] = [];
  for (let at = from; at <= text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const line = heredoc.isIndented ? text.slice(at, end).replace(/^\t+/, '') : text.slice(at, end);
    if (line === heredoc.delimiter) return { body: lines.map((each) => `${each}\n`).join(''), end };
    if (newline === -1) return undefined;
    lines.push(line);
    at = newline + 1;
  }
  return undefined;
}

/** `$(cat <<'EOF' … EOF)`, which agents use for commit messages: the text, and where its closing parenthesis is. undefined for anything else. */
export function readHeredocSubstitution(text: string, at: number): { value: string; end: number } | undefined {
  const opening = /\$\([ \t\n]*cat[ \t]*(?=<<)/y;
  opening.lastIndex = at;
  const [opened] = opening.exec(text) ?? [];
  const start = opened === undefined ? undefined : readHeredocStart(text, at + opened.length);
  if (!start?.heredoc.isQuoted) return undefined;
  const firstLine = /[ \t]*\n/y;
  firstLine.lastIndex = start.end;
  const [blank] = firstLine.exec(text) ?? [];
  const read = blank === undefined ? undefined : readHeredocBody(text, start.end + blank.length, start.heredoc);
  if (!read) return undefined;
  const closing = /[ \t\n]*\)/y;
  closing.lastIndex = read.end;
  const [closed] = closing.exec(text) ?? [];
  if (closed === undefined || closesEarly(read.body)) return undefined;
  return { value: read.body.replace(/\n+$/, ''), end: read.end + closed.length - 1 };
}

/** bash 3, still the default on macOS, ends a substitution at the first unbalanced parenthesis, even inside a heredoc. */
function closesEarly(body: string): boolean {
  const visible = body.replace(/\\[\s\S]/g, '');
  return goesBelow(visible) || goesBelow(visible.replace(/'[^']*'?|"[^"]*"?|`[^`]*`?/g, ''));
}

function goesBelow(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth++;
    if (char === ')' && --depth < 0) return true;
  }
  return false;
}
