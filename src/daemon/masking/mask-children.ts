import { looksIssued, looksTyped } from './looks-secret.ts';
import { isPlaceholder, MASK } from './mask.ts';

/** `secret:`, `"tokens": [` on a line of its own: what is indented below belongs to it. */
const PARENT =
  /^([ \t]*)(?:-[ \t]+)?["']?[\w.-]{0,40}(?:secrets?|tokens?|passwords?|credentials?|(?:api|auth|access|signing|private|encryption)[_-]?keys?|keys|stringData)["']?[ \t]{0,4}:[ \t]{0,4}(?:[[{>|][+-]?)?[ \t]{0,4}$/gim;
const CHILD =
  /^([ \t]*)((?:-[ \t]{1,4})?(?:["']?[\w.-]{1,60}["']?[ \t]{0,4}:[ \t]{0,4})?["']?)([^\s"',]{8,500})(["']?,?[ \t]{0,4})$/;
const ABOUT_IT =
  /(?:name|id|type|path|file|url|uri|version|mode|ref|region|kind|hash|host|user|email)["']?[ \t]{0,4}:/i;
const MAX_CHILDREN = 12;

/** Values in a list or a map under a secret's name. */
export function maskChildren(text: string): string {
  if (
    !text.includes('\n') ||
    !/(?:secrets?|tokens?|passwords?|credentials?|keys?|stringData)["']?[ \t]{0,4}:/i.test(text)
  )
    return text;
  const lines = text.split('\n');
  let isChanged = false;
  for (let at = 0; at < lines.length - 1; at++) {
    PARENT.lastIndex = 0;
    const parent = lines[at]!.length < 200 ? PARENT.exec(lines[at]!) : null;
    if (!parent) continue;
    const indent = parent[1]!.length;
    for (let next = at + 1; next < Math.min(lines.length, at + 1 + MAX_CHILDREN); next++) {
      const line = lines[next]!;
      const child = line.length < 1000 ? CHILD.exec(line) : null;
      const isItem = child?.[2]?.startsWith('-') === true;
      if (!child || child[1]!.length < indent + (isItem ? 0 : 1)) break;
      const [, space, before, value, after] = child;
      if (ABOUT_IT.test(before!) || isPlaceholder(value!) || !(looksIssued(value!) || looksTyped(value!))) continue;
      lines[next] = `${space}${before}${MASK}${after}`;
      isChanged = true;
    }
  }
  return isChanged ? lines.join('\n') : text;
}
