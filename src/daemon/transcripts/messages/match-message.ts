import type { FindQuery } from '../../../contract/messages.ts';
import type { FoundPart, FoundResult } from './entry.ts';
import type { Draft } from './fold-messages.ts';

/** A matching message. */
export interface Match {
  head: number;
  id: string;
  parts: number[];
}

export type Matcher = (draft: Draft) => number[];

/** Which parts of a message match. */
export function matcherFor({ what, q }: Pick<FindQuery, 'what' | 'q'>): Matcher {
  if (what === 'prompt') return (draft) => (isPrompt(draft) ? [0] : []);
  const matches = what === 'error' ? isFailure : has(q.trim().toLowerCase());
  return ({ parts, results }) =>
    parts.flatMap((part, index) => (matches(part, resultOf(part, results)) ? [index] : []));
}

function resultOf(part: FoundPart, results: Draft['results']): FoundResult | undefined {
  return part.kind === 'tool' ? results.get(part.toolUseId) : undefined;
}

/** What a person typed, not what the client wrote in their name. */
function isPrompt({ role, isMeta, parts }: Draft): boolean {
  return role === 'user' && !isMeta && parts.some(({ kind }) => kind !== 'notice');
}

function isFailure(part: FoundPart, result: FoundResult | undefined): boolean {
  if (part.kind === 'notice') return part.notice === 'api_error' || part.notice === 'interrupted';
  return result?.isError === true;
}

function has(sought: string) {
  return (part: FoundPart, result: FoundResult | undefined): boolean => {
    if (sought === '' || part.kind === 'image') return false;
    if (part.kind !== 'tool') return includes(part.text, sought);
    return (
      includes(part.name, sought) || valueHas(part.input, sought, 0) || (!!result && includes(result.text, sought))
    );
  };
}

const includes = (text: string, sought: string) => text.toLowerCase().includes(sought);

/** Deeper than tools nest their input; a hostile one must not overflow the stack. */
const MAX_DEPTH = 50;

function valueHas(value: unknown, sought: string, depth: number): boolean {
  if (typeof value === 'string') return includes(value, sought);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  return Object.values(value).some((item) => valueHas(item, sought, depth + 1));
}

/** The match to go to, from a position in the file. undefined: there is none. */
export function pickMatch(
  matches: readonly Match[],
  { direction, from }: { direction: FindQuery['direction']; from: number },
): number | undefined {
  if (matches.length === 0) return undefined;
  const before = matches.findLastIndex(({ head }) => (direction === 'nearest' ? head <= from : head < from));
  const after = matches.findIndex(({ head }) => head > from);
  if (direction === 'next') return after === -1 ? 0 : after;
  if (direction === 'previous') return before === -1 ? matches.length - 1 : before;
  return before === -1 ? after : before;
}
