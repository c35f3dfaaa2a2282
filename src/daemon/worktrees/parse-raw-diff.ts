import type { ChangedFile } from '../../contract/worktrees.ts';

const KINDS: Record<string, ChangedFile['change']> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type_changed',
};

/** `git diff --raw --numstat -z`: first every file's kind, then every file's counts. */
export function parseRawDiff(text: string): ChangedFile[] {
  const fields = text.split('\0');
  const files: ChangedFile[] = [];
  const byPath = new Map<string, ChangedFile>();
  let at = 0;
  while (fields[at]?.startsWith(':')) {
    const letter = fields[at]!.split(' ')[4]?.[0] ?? 'M';
    const isPair = letter === 'R' || letter === 'C';
    const [from = '', to = ''] = [fields[at + 1], fields[at + 2]];
    const path = isPair ? to : from;
    const file: ChangedFile = {
      path,
      oldPath: isPair ? from : null,
      change: KINDS[letter] ?? 'modified',
      added: 0,
      removed: 0,
      isBinary: false,
    };
    files.push(file);
    byPath.set(path, file);
    at += isPair ? 3 : 2;
  }
  while (at < fields.length && fields[at] !== '') {
    const [added = '', removed = '', name = ''] = fields[at]!.split('\t');
    // a rename's counts are followed by both names, each in its own field
    const path = name === '' ? (fields[at + 2] ?? '') : name;
    at += name === '' ? 3 : 1;
    const file = byPath.get(path);
    if (!file) continue;
    file.isBinary = added === '-';
    file.added = Number.parseInt(added, 10) || 0;
    file.removed = Number.parseInt(removed, 10) || 0;
  }
  return files;
}
