const MAX_FOUND = 24;
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/sy;
/** Names under which languages run a program, right before its text. */
const CALL =
  /\b(?:system\w*|popen\d?|exec\w*|spawn\w*|run\w*|call|check_\w+|get(?:status)?output|shell_exec|passthru|proc_open|Command|cmd|execute|shell[-\w]*|script)\b[\s([{:]{0,4}(?=["'`])/g;
/** `!cmd` of editors and SQL shells, `shell cmd` of gdb, `%x(cmd)` of Ruby, `e cmd` of sed. */
const ESCAPES = /(?:^|[\s;:'"])(?:\\?!|\.?(?:shell|system)\s|\d*e\s)\s*([^\n]+)|(?:%x|\bqx)\s*[({[/|]([^)}\]/|]+)/g;

/** The commands that code in another language plainly runs: `os.system("…")`, `spawn('rm', ['-rf'])`, `` `…` ``. */
export function commandsInCode(code: string): { scripts: string[]; commands: string[][] } {
  const scripts: string[] = [];
  const commands: string[][] = [];
  for (const { index, 0: call } of code.matchAll(CALL)) {
    const texts = textsFrom(code, index + call.length);
    if (texts[0] !== undefined) scripts.push(texts[0]);
    if (texts.length > 1) commands.push(texts);
    if (scripts.length > MAX_FOUND) break;
  }
  for (const [, script] of code.matchAll(/`([^`]+)`/g)) scripts.push(script!);
  for (const [, escaped, quoted] of code.matchAll(ESCAPES)) scripts.push((escaped ?? quoted)!);
  return { scripts: [...new Set(scripts)].slice(0, MAX_FOUND), commands };
}

/** The texts from here on, as long as nothing but commas and brackets stand between them. */
function textsFrom(code: string, start: number): string[] {
  const found: string[] = [];
  for (let at = start; found.length < MAX_FOUND; ) {
    TEXT.lastIndex = at;
    const text = TEXT.exec(code)?.[0];
    if (text === undefined) break;
    found.push(text.slice(1, -1).replace(/\\(["'`\\])/g, '$1'));
    at += text.length;
    const between = /[\s,[\]({]*/y;
    between.lastIndex = at;
    at += between.exec(code)?.[0].length ?? 0;
  }
  return found;
}
