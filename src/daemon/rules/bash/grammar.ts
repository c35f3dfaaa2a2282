import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type { Parser, TreeCursor } from 'web-tree-sitter';

type TreeSitter = typeof import('web-tree-sitter');

export interface SyntaxNode {
  readonly type: string;
  readonly field: string | null;
  readonly from: number;
  readonly to: number;
  readonly children: readonly SyntaxNode[];
}

/** undefined: the text couldn't be parsed in the time allowed. */
export type ParseBash = (text: string) => SyntaxNode | undefined;

/** Some texts (`a=(a=(a=(…`) make the parser's error recovery quadratic: they are given up, and so never allowed. */
const MAX_PARSE_MS = 60;
const MAX_DEPTH = 400;
/** A call is checked before the client's own rules and again when it asks, and agents repeat themselves. */
const MAX_KEPT = 200;
const MAX_KEPT_LENGTH = 2000;

const require = createRequire(import.meta.url);

/** Loads tree-sitter and its Bash grammar. If the parser ever crashes on a text, it is reloaded in the background. */
export async function loadBash(onBreakdown: (error: unknown) => void = () => undefined): Promise<ParseBash> {
  let parser: Parser | undefined = await load();
  // the first parse compiles, which on a busy machine alone takes longer than a command may
  parse(parser, 'true');
  const recent = new Map<string, SyntaxNode>();
  return (text) => {
    const known = recent.get(text);
    if (known || !parser) return known;
    try {
      const root = parse(parser, text);
      if (root && text.length <= MAX_KEPT_LENGTH) keep(recent, text, root);
      return root;
    } catch (error) {
      // aborted WebAssembly stays aborted, so nothing is parsed until a new instance is ready
      parser = undefined;
      onBreakdown(error);
      load().then((fresh) => {
        parser = fresh;
      }, onBreakdown);
      return undefined;
    }
  };
}

function keep(recent: Map<string, SyntaxNode>, text: string, root: SyntaxNode): void {
  if (recent.size >= MAX_KEPT) recent.delete(recent.keys().next().value!);
  recent.set(text, root);
}

async function load(): Promise<Parser> {
  // the optimizing compiler would spend a second and a half of processor time on the grammar after every start, to save tenths of a
  // millisecond per parse
  setFlagsFromString('--liftoff-only');
  const path = require.resolve('web-tree-sitter');
  delete require.cache[path];
  const { Parser, Language } = require(path) as TreeSitter;
  await Parser.init();
  const language = await Language.load(require.resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm'));
  return new Parser().setLanguage(language);
}

function parse(parser: Parser, text: string): SyntaxNode | undefined {
  const until = performance.now() + MAX_PARSE_MS;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
  if (!tree) {
    parser.reset();
    return undefined;
  }
  const cursor = tree.walk();
  const root = copy(cursor, 0);
  cursor.delete();
  tree.delete();
  return root;
}

function copy(cursor: TreeCursor, depth: number): SyntaxNode | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const children: SyntaxNode[] = [];
  const node: SyntaxNode = {
    type: cursor.nodeIsMissing ? 'ERROR' : cursor.nodeType,
    field: cursor.currentFieldName,
    from: cursor.startIndex,
    to: cursor.endIndex,
    children,
  };
  if (!cursor.gotoFirstChild()) return node;
  let isWhole = true;
  do {
    const child = copy(cursor, depth + 1);
    if (child) children.push(child);
    else isWhole = false;
  } while (isWhole && cursor.gotoNextSibling());
  cursor.gotoParent();
  return isWhole ? node : undefined;
}
