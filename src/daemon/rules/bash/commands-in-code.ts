const MAX_FOUND = 24;
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/sy;
/** Functions that run a program in various languages, right before its text. */
const CALL =
  /\b(?:system\w*|popen\d?|exec\w*|spawn\w*|run\w*|call|check_\w+|get(?:status)?output|shell_exec|passthru|proc_open|Command|cmd|execute|shell[-\w]*|script)\b[\s([{:]{0,4}(?=["'`])/g;
/** `!cmd` in editors and SQL shells, `shell cmd` in gdb, `%x(cmd)` in Ruby, `e cmd` in sed. */
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

/** The strings from here on, as long as only commas and brackets separate them. */
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
