/** A word, a number, a string, a comment, blanks, a line continuation, or one character. */
const TOKEN = /[A-Za-z_]\w*|\d[\w.]*|"(?:[^"\\\n]|\\[^\n])*"|#[^\n]*|[ \t]+|\\\n|\|\||&&|>=|[\s\S]/y;
const REGEX = /\/(?:[^/\\[\n]|\\[^\n]|\[\^?\]?[^\]/\n]*\])+\//y;
/** After these, a slash starts a regular expression in every awk. */
const BEFORE_REGEX = new Set(['', '(', ',', '~', '!', '&&', '||', '{', '}', ';', '\n']);
const RUNS = new Set(['system', 'getline']);
const KEYWORDS = new Set(
  (
    'print printf return in case switch default else do if while for function func delete exit next nextfile break ' +
    'continue BEGIN END BEGINFILE ENDFILE'
  ).split(' '),
);
/** After these, the statement continues on the next line. */
const CONTINUES = new Set([',', '&&', '||', '?', ':']);

/** Whether an awk program only computes and prints: no commands, no pipes, no files. */
export function isPlainAwk(program: string): boolean {
  let before = '';
  let prints = false;
  for (let at = 0; at < program.length; ) {
    if (program[at] === '/') {
      const regex = BEFORE_REGEX.has(before) ? match(REGEX, program, at) : undefined;
      // after a value it divides; after anything else, awks differ
      if (regex === undefined && (!/^(\w+|\])$/.test(before) || KEYWORDS.has(before))) return false;
      before = '/';
      at += regex?.length ?? 1;
      continue;
    }
    const token = match(TOKEN, program, at)!;
    at += token.length;
    if (/^([ \t]+|\\\n|#.*)$/.test(token) || (token === '\n' && CONTINUES.has(before))) continue;
    // an open quote, a pipe, an indirect function call, a meaningful backslash
    if (RUNS.has(token) || /^["|@\\]$/.test(token)) return false;
    if (token === 'print' || token === 'printf') prints = true;
    if (/^[;{}\n]$/.test(token)) prints = false;
    // after `print`, this names a file; elsewhere it compares
    if (token === '>' && prints) return false;
    before = token.startsWith('"') ? 'text' : token;
  }
  return true;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
