import type { LiveSession } from '../../../src/contract/sessions.ts';
import { lookOf } from '../sessions/look.ts';

/** Sessions are replaced, never changed, so what was computed for one stays true. */
const haystacks = new WeakMap<LiveSession, string>();
/** A title of a megabyte is not searched through at every keystroke. */
const SEARCHED_CHARS = 1000;

/** Every word must be found somewhere: in the title, project, branch or state. */
export function matchesFilter(session: LiveSession, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const haystack = haystackOf(session);
  return words.every((word) => haystack.includes(word));
}

export function filterWords(filter: string): string[] {
  return filter.toLowerCase().split(/\s+/).filter(Boolean);
}

function haystackOf(session: LiveSession): string {
  const known = haystacks.get(session);
  if (known !== undefined) return known;
  const { agentState, title, projectDisplayName, gitBranch } = session;
  const fields = [
    title,
    projectDisplayName,
    gitBranch ?? '',
    agentState.state,
    agentState.label,
    lookOf(agentState).label,
  ];
  const haystack = fields.map((field) => field.slice(0, SEARCHED_CHARS).toLowerCase()).join('\n');
  haystacks.set(session, haystack);
  return haystack;
}
