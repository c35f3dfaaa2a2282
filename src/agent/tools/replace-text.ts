export interface Replacement {
  old_string: string;
  new_string: string;
  replace_all?: boolean | undefined;
}

export class NoMatch extends Error {}

/**
 * Matches exactly and splices by position, because `String.replace` would expand `$&` in the new text. Line endings are compared as `\n`
 * and the file keeps its own: a model never sees `\r`.
 */
export function replaceText(
  text: string,
  { old_string: old, new_string: next, replace_all: all = false }: Replacement,
): string {
  if (old === next) throw new NoMatch('old_string and new_string are the same.');
  if (old === '') throw new NoMatch('old_string is empty. Use Write to create a file.');
  const places = find(text, old);
  if (places.length === 0) throw new NoMatch('old_string was not found. It must match exactly, including whitespace.');
  if (places.length > 1 && !all)
    throw new NoMatch(
      `old_string appears ${places.length} times. Add lines around it to make it unique, or use replace_all.`,
    );
  let result = '';
  let from = 0;
  for (const { start, end } of places) {
    const usesCrlf = /\r\n/.test(text.slice(start, end)) || (!old.includes('\n') && isCrlf(text, start));
    result += text.slice(from, start) + (usesCrlf ? next.replace(/\r?\n/g, '\r\n') : next);
    from = end;
  }
  return result + text.slice(from);
}

interface Place {
  start: number;
  end: number;
}

function find(text: string, old: string): Place[] {
  if (!text.includes('\r\n') || old.includes('\r\n')) return occurrences(text, old);
  // positions in the `\n` text, mapped back to the file
  const origin: number[] = [];
  let plain = '';
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\r' && text[at + 1] === '\n') continue;
    origin.push(at);
    plain += text[at];
  }
  origin.push(text.length);
  return occurrences(plain, old).map(({ start, end }) => {
    const first = origin[start]!;
    const last = origin[end]!;
    // the match starts after a \r\n, or at a \n preceded by \r
    const begins = text[first] === '\n' && text[first - 1] === '\r' ? first - 1 : first;
    const ends = text[last] === '\n' && text[last - 1] === '\r' ? last - 1 : last;
    return { start: begins, end: ends };
  });
}

function occurrences(text: string, old: string): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length))
    places.push({ start: at, end: at + old.length });
  return places;
}

/** Whether the line at this position ends with \r\n. */
function isCrlf(text: string, at: number): boolean {
  const end = text.indexOf('\n', at);
  return end > 0 && text[end - 1] === '\r';
}
