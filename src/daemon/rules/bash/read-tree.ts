import { PIPE_NAME, UNKNOWN } from '../marks.ts';
import { decodeAnsiC } from './ansi-c.ts';
import type { SyntaxNode } from './grammar.ts';
import { plainWords } from './plain-word.ts';
import type { SimpleCommand } from './simple-command.ts';

export interface TreeReading {
  /** Every simple command anywhere in the text: in substitutions, functions, loops, conditions. */
  commands: SimpleCommand[];
  /** Text passed to commands as input: heredocs and herestrings. */
  fed: string[];
  hasError: boolean;
}

const EXPANSIONS = new Set([
  'simple_expansion',
  'expansion',
  'command_substitution',
  'process_substitution',
  'arithmetic_expansion',
  'brace_expression',
  'translated_string',
  'extglob_pattern',
  'array',
]);

/** Finds the commands in a syntax tree. It is inclusive: it finds whatever is there, in any context. */
export function readTree(root: SyntaxNode, text: string): TreeReading {
  const reading: TreeReading = { commands: [], fed: [], hasError: false };
  const readers: Record<string, (node: SyntaxNode) => void> = {
    command: readCommand,
    declaration_command: readDeclaration,
    unset_command: readDeclaration,
    redirected_statement: readRedirected,
    herestring_redirect: readHerestring,
    heredoc_body: readHeredoc,
    variable_assignments: readAssignments,
    variable_assignment: readAssignment,
    ERROR: readError,
  };
  visit(root);
  return reading;

  function visit(node: SyntaxNode): void {
    if (node.type === 'string' && node.children.some((child) => heredocText(child, text) !== undefined)) {
      for (const child of node.children) if (heredocText(child, text) === undefined) visit(child);
      return;
    }
    const read = readers[node.type];
    if (read) read(node);
    else node.children.forEach(visit);
  }

  function readCommand(node: SyntaxNode): void {
    const words = node.children
      .filter((child) => child.type === 'command_name' || child.field === 'argument')
      .flatMap((child) => wordValues(child, text));
    reading.commands.push({ words, assignments: assignmentsIn(node, text) });
    visitInside(node);
  }

  /** A command's assignments are part of it, not separate commands. */
  function visitInside(node: SyntaxNode): void {
    for (const child of node.children) {
      if (child.type === 'variable_assignment') child.children.forEach(visit);
      else visit(child);
    }
  }

  function readDeclaration(node: SyntaxNode): void {
    const words = node.children.map((child) =>
      child.type === 'variable_assignment' ? text.slice(child.from, child.to) : wordValue(child, text),
    );
    reading.commands.push({ words, assignments: [] });
    visitInside(node);
  }

  /** The grammar treats the words after a redirection (`cat >x -n`) as more targets: they belong to the command. */
  function readRedirected(node: SyntaxNode): void {
    const body = node.children.filter((child) => child.field === 'body');
    body.forEach(visit);
    const last = reading.commands.at(-1);
    const redirects = node.children.filter((child) => child.field !== 'body');
    // it loses a lone dash in front of a redirection
    const lost = text.slice(body.at(-1)?.to ?? node.from, redirects[0]?.from ?? node.from).trim();
    if (lost === '-' && last) last.words.push('-');
    for (const redirect of redirects) {
      const words = strayWords(redirect).flatMap((child) => wordValues(child, text));
      if (words.length > 0 && last) last.words.push(...words);
      else if (words.length > 0) reading.commands.push({ words, assignments: [] });
      visit(redirect);
    }
  }

  function readHerestring(node: SyntaxNode): void {
    for (const child of node.children) if (child.type !== '<<<') reading.fed.push(wordValue(child, text));
    node.children.forEach(visit);
  }

  function readHeredoc(node: SyntaxNode): void {
    reading.fed.push(text.slice(node.from, node.to));
    node.children.forEach(visit);
  }

  function readAssignments(node: SyntaxNode): void {
    reading.commands.push({ words: [], assignments: assignmentsIn(node, text) });
    visitInside(node);
  }

  function readAssignment(node: SyntaxNode): void {
    reading.commands.push({ words: [], assignments: [assignment(node, text)] });
    node.children.forEach(visit);
  }

  function readError(node: SyntaxNode): void {
    reading.hasError = true;
    node.children.forEach(visit);
  }
}

function strayWords({ children }: SyntaxNode): SyntaxNode[] {
  const targets = children.filter(({ field }) => field === 'destination');
  const stray = children.filter(({ field }) => field === 'argument');
  return [
    ...targets.slice(1),
    ...stray,
    ...children.filter(({ type }) => type === 'file_redirect').flatMap(strayWords),
  ];
}

/** The text of `$(cat <<'EOF' … EOF)`. */
function heredocText({ type, children }: SyntaxNode, text: string): string | undefined {
  const [statement, ...more] = children.filter((child) => child.type !== '$(' && child.type !== ')');
  if (type !== 'command_substitution' || statement?.type !== 'redirected_statement' || more.length > 0)
    return undefined;
  const [command, redirect, ...others] = statement.children;
  if (!command || !redirect || others.length > 0 || text.slice(command.from, command.to) !== 'cat') return undefined;
  const isHeredoc = redirect.type === 'heredoc_redirect' && redirect.children.length === 4;
  const [, start, body] = isHeredoc ? redirect.children : [];
  if (!start || !/^['"\\]/.test(text.slice(start.from, start.to))) return undefined;
  const isEmpty = body?.type === 'heredoc_end';
  if (isEmpty) return '';
  const indent = text.slice(redirect.from, redirect.from + 3) === '<<-' ? /^\t+/gm : /(?!)/;
  return body?.type === 'heredoc_body'
    ? text.slice(body.from, body.to).replace(indent, '').replace(/\n+$/, '')
    : undefined;
}

function assignmentsIn(node: SyntaxNode, text: string): SimpleCommand['assignments'] {
  return node.children.filter(({ type }) => type === 'variable_assignment').map((child) => assignment(child, text));
}

function assignment(node: SyntaxNode, text: string): { name: string; value: string } {
  const name = node.children.find(({ field }) => field === 'name');
  const value = node.children.find(({ field }) => field === 'value');
  return { name: name ? text.slice(name.from, name.to) : '', value: value ? wordValue(value, text) : '' };
}

/** What a word becomes once the shell has removed quotes and escapes: several words if it has braces. */
function wordValues(node: SyntaxNode, text: string): string[] {
  const inner = node.type === 'command_name' && node.children.length === 1 ? node.children[0]! : node;
  const isPlain =
    inner.type === 'concatenation' && inner.children.every(({ type }) => type === 'word' || type === 'number');
  if (isPlain || inner.type === 'word') return plainWords(text.slice(inner.from, inner.to)) ?? [UNKNOWN];
  return [wordValue(node, text)];
}

function wordValue(node: SyntaxNode, text: string): string {
  const source = text.slice(node.from, node.to);
  if (EXPANSIONS.has(node.type)) return expansionValue(source);
  switch (node.type) {
    case 'raw_string':
      return source.slice(1, -1);
    case 'string':
      return stringValue(node, text);
    case 'ansi_c_string':
      return decodeAnsiC(text.slice(0, node.to), node.from + 2)?.value ?? UNKNOWN;
    case 'concatenation':
      return concatenated(node, text);
    case 'command_name':
    case 'variable_name':
    case 'subscript':
      if (node.children.length > 0) return node.children.map((child) => wordValue(child, text)).join('');
      return plainWords(source)?.join(' ') ?? UNKNOWN;
    default:
      return node.children.length > 0 ? UNKNOWN : (plainWords(source)?.join(' ') ?? UNKNOWN);
  }
}

/** The expansions whose value is known: `$HOME`, and the pipe that `<(…)` is. */
function expansionValue(source: string): string {
  if (source.startsWith('<(')) return PIPE_NAME;
  return /^\$(HOME|\{HOME\})$/.test(source) ? '~' : UNKNOWN;
}

function concatenated(node: SyntaxNode, text: string): string {
  const reaches = node.children.some(({ type, from, to }) => type === 'word' && /[[{]/.test(text.slice(from, to)));
  return reaches ? UNKNOWN : node.children.map((child) => wordValue(child, text)).join('');
}

/** Between expansions, a string is text in which a backslash escapes only four characters. */
function stringValue(node: SyntaxNode, text: string): string {
  let value = '';
  let at = node.from + 1;
  const plain = (to: number) => {
    value += text.slice(at, to).replace(/\\([$`"\\\n])/g, (_, char: string) => (char === '\n' ? '' : char));
  };
  for (const child of node.children) {
    if (!EXPANSIONS.has(child.type)) continue;
    // the grammar counts blanks in front of it as part of it
    const source = text.slice(child.from, child.to);
    const dollar = source.search(/\S/);
    plain(child.from + dollar);
    value += heredocText(child, text) ?? expansionValue(source.slice(dollar));
    at = child.to;
  }
  plain(node.to - 1);
  return value;
}
