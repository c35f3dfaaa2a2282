import { getNodeValue, type Node } from 'jsonc-parser';
import type { HookEntries, HookGroup } from './hook-entries.ts';
import type { HookEventName } from './hook-events.ts';
import { type HookReader, type OwnHook, readOwnHook } from './own-hook.ts';
import { parseSettings, SettingsShapeWrong, type SettingsText } from './parse-settings.ts';

/*
 * Text in, text out, and removeHooks(installHooks(x)) === x, byte for byte, with nothing stored in between: the daemon may have been
 * killed, and another version may remove the hooks. So the way we write our hooks encodes what was there before:
 *
 *   next to the user's items  appended to the last one; taken out from the end of the item before to the end of ours
 *   in an empty container     marked by one space after its bracket, `{ ⏎` or `[ {`: taken out, the container stays
 *   in one that we made       no such space: taken out with the container
 *   in a file that we made    exactly as `wholeFile` writes it: the file goes (missing, empty or white space before)
 *
 * If someone reformatted the file, the mark is gone, and containers that held only our hooks are removed too.
 */

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** `undefined` stands for a file that doesn't exist, in arguments and results. */
export type Settings = string | undefined;

export interface FoundHook extends OwnHook {
  event: string;
}

/** `read` says which entries count; by default, those in the user's settings. */
export function installHooks(
  settings: Settings,
  entries: HookEntries,
  file = 'settings.json',
  read: HookReader = readOwnHook,
): string {
  const base = removeHooks(settings, file, read);
  if (base === undefined) return `${wholeFile(eventLines(entries))}\n`;
  const parsed = parseSettings(base, file);
  const { bom, text, root } = parsed;
  if (!root) return bom + text + wholeFile(eventLines(entries));
  checkType(root, 'object', 'the top level', file);
  return bom + applyEdits(text, insertInto(root, entries, parsed, file));
}

export function removeHooks(settings: Settings, file = 'settings.json', read: HookReader = readOwnHook): Settings {
  if (settings === undefined) return undefined;
  const { bom, text, root } = parseSettings(settings, file);
  if (root?.type !== 'object') return settings;
  const removal = removeFromRoot(text, root, read);
  if (!removal.gone) return bom + applyEdits(text, removal.edits);
  const [before, after] = [text.slice(0, root.offset), text.slice(end(root))];
  if (bom + before === '' && after === '\n') return undefined;
  return bom + before + (after === '' ? '' : `{}${after}`);
}

export function findHooks(settings: Settings, file = 'settings.json', read: HookReader = readOwnHook): FoundHook[] {
  if (settings === undefined) return [];
  const { root } = parseSettings(settings, file);
  return properties(root, 'hooks').flatMap(({ value: events }) =>
    properties(events).flatMap(({ name: event, value: groups }) =>
      elements(groups).flatMap((group) =>
        properties(group, 'hooks').flatMap(({ value: hooks }) =>
          elements(hooks).flatMap((hook) => {
            const own = read(getNodeValue(hook));
            return own ? [{ event, ...own }] : [];
          }),
        ),
      ),
    ),
  );
}

// --- inserting

const entryList = (entries: HookEntries) => Object.entries(entries) as [HookEventName, HookGroup][];

const eventLines = (entries: HookEntries): string[] =>
  entryList(entries).map(([event, group]) => eventLine(event, [group]));

const eventLine = (event: string, groups: unknown): string => `${JSON.stringify(event)}: ${JSON.stringify(groups)}`;

const wholeFile = (lines: string[]): string => `{\n  "hooks": {\n    ${lines.join(',\n    ')}\n  }\n}`;

function insertInto(root: Node, entries: HookEntries, { text }: SettingsText, file: string): Edit[] {
  const eol = text.match(/\r?\n/)?.[0] ?? '\n';
  const indent = childIndent(text, root) ?? `${lineIndent(text, root.offset)}  `;
  const hooks = properties(root, 'hooks').at(-1)?.value;
  if (!hooks) {
    const inner = `${eol}${indent}${indent || '  '}`;
    const lines = eventLines(entries).join(`,${inner}`);
    return [insert(text, root, eol + indent, [`"hooks": {${inner}${lines}${eol}${indent}}`])];
  }
  checkType(hooks, 'object', '"hooks"', file);

  const edits: Edit[] = [];
  const newEvents: string[] = [];
  for (const [event, group] of entryList(entries)) {
    const groups = properties(hooks, event).at(-1)?.value;
    if (!groups) {
      newEvents.push(eventLine(event, [group]));
      continue;
    }
    checkType(groups, 'array', `"hooks.${event}"`, file);
    const groupIndent = childIndent(text, groups);
    const separator = groupIndent === undefined ? ' ' : eol + groupIndent;
    edits.push(insert(text, groups, separator, [JSON.stringify(group)]));
  }
  if (newEvents.length === 0) return edits;
  const eventIndent = childIndent(text, hooks) ?? `${lineIndent(text, hooks.offset)}  `;
  return [...edits, insert(text, hooks, eol + eventIndent, newEvents)];
}

/** After the last item; or into an empty container, marked, with its closing bracket on its own line. */
function insert(text: string, container: Node, separator: string, items: string[]): Edit {
  const last = container.children?.at(-1);
  if (last) return { from: end(last), to: end(last), text: items.map((item) => `,${separator}${item}`).join('') };
  const at = container.offset + 1;
  if (container.type === 'array') return { from: at, to: at, text: MARK + items.join(`,${separator}`) };
  const padding = separator.match(/^\r?\n/)?.[0] + lineIndent(text, container.offset);
  return { from: at, to: at, text: MARK + separator + items.join(`,${separator}`) + padding };
}

const MARK = ' ';

// --- removing

interface Removal {
  /** It contained only ours, so it is removed as a whole. */
  gone: boolean;
  edits: Edit[];
}

const UNTOUCHED: Removal = { gone: false, edits: [] };

function removeFromRoot(text: string, root: Node, read: HookReader): Removal {
  const removal = removeItems(text, root, (property) =>
    keyOf(property) === 'hooks' ? removeFromEvents(text, property.children?.[1], read) : UNTOUCHED,
  );
  if (!removal.gone || isWholeFile(text, root)) return removal;
  return { gone: false, edits: [{ from: root.offset + 1, to: end(root) - 1, text: '' }] };
}

function isWholeFile(text: string, root: Node): boolean {
  const written = text.slice(root.offset, end(root));
  const events: [string, unknown][] = Object.entries(JSON.parse(written).hooks);
  return written === wholeFile(events.map(([event, groups]) => eventLine(event, groups)));
}

function removeFromEvents(text: string, events: Node | undefined, read: HookReader): Removal {
  if (events?.type !== 'object') return UNTOUCHED;
  return removeItems(text, events, (property) => {
    const groups = property.children?.[1];
    return groups?.type === 'array'
      ? removeItems(text, groups, (group) => removeFromGroup(text, group, read))
      : UNTOUCHED;
  });
}

function removeFromGroup(text: string, group: Node, read: HookReader): Removal {
  const hooks = properties(group, 'hooks').at(-1)?.value;
  if (hooks?.type !== 'array') return UNTOUCHED;
  const isOwn = (hook: Node): Removal => ({ ...UNTOUCHED, gone: read(getNodeValue(hook)) !== undefined });
  return removeItems(text, hooks, isOwn, { mayBeMarked: false });
}

function removeItems(
  text: string,
  container: Node,
  remove: (item: Node) => Removal,
  { mayBeMarked } = { mayBeMarked: true },
): Removal {
  const items = (container.children ?? []).map((node) => ({ node, ...remove(node) }));
  const kept = items.filter(({ gone }) => !gone);
  const edits = kept.flatMap((item) => item.edits);
  if (kept.length === items.length) return { gone: false, edits };
  const open = container.offset + 1;

  const firstKept = items.findIndex(({ gone }) => !gone);
  if (firstKept === -1) {
    const [first, last] = [items[0], items.at(-1)];
    const marked = first && last && mayBeMarked ? markedEnd(text, container, first.node, last.node) : undefined;
    return marked === undefined
      ? { gone: true, edits: [] }
      : { gone: false, edits: [{ from: open, to: marked, text: '' }] };
  }
  items.forEach(({ node, gone }, index) => {
    const previous = items[index - 1];
    if (gone && previous && index > firstKept) edits.push({ from: end(previous.node), to: end(node), text: '' });
  });
  const lastLeading = items[firstKept - 1];
  if (lastLeading) edits.push({ from: open, to: text.indexOf(',', end(lastLeading.node)) + 1, text: '' });
  return { gone: false, edits };
}

/** Where our part of a marked container ends. undefined if it isn't marked. */
function markedEnd(text: string, container: Node, first: Node, last: Node): number | undefined {
  const lead = text.slice(container.offset + 1, first.offset);
  if (container.type === 'array') return lead === MARK ? end(last) : undefined;
  const eol = lead.match(/^ (\r?\n)/)?.[1];
  if (eol === undefined) return undefined;
  const padding = eol + lineIndent(text, container.offset);
  return end(last) + (text.startsWith(padding, end(last)) ? padding.length : 0);
}

// --- the tree and the text

const end = (node: Node): number => node.offset + node.length;

const elements = (node: Node): Node[] => (node.type === 'array' ? (node.children ?? []) : []);

const keyOf = (property: Node): string => property.children?.[0]?.value;

/** With that name, or all. A duplicate name yields both; the client uses the last. */
function properties(node: Node | undefined, name?: string): { name: string; value: Node }[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key && value && (name === undefined || key.value === name) ? [{ name: key.value, value }] : [];
  });
}

function checkType(node: Node, wanted: 'object' | 'array', what: string, file: string): void {
  if (node.type === wanted) return;
  throw new SettingsShapeWrong(file, what, { found: `a JSON ${node.type}`, wanted: `a JSON ${wanted}` });
}

/** The indentation of a container's first item, if it is on its own line. */
function childIndent(text: string, container: Node): string | undefined {
  const first = container.children?.[0];
  return first && text.slice(container.offset + 1, first.offset).match(/\n([ \t]*)$/)?.[1];
}

function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return line.match(/^[ \t]*/)?.[0] ?? '';
}

function applyEdits(text: string, edits: Edit[]): string {
  const sorted = edits.toSorted((a, b) => a.from - b.from);
  let result = '';
  let at = 0;
  for (const edit of sorted) {
    result += text.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return result + text.slice(at);
}
