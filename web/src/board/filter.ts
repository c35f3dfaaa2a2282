import { columnOf } from '../../../src/contract/groups.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { styleOf } from '../sessions/state-style.ts';
import { GROUP_LOOKS } from './groups.ts';

/** One condition: a word anywhere or in the named field. A leading minus negates it. */
export interface Term {
  field: Field | null;
  text: string;
  negated: boolean;
}

const FIELDS = {
  title: ({ title }) => [title],
  project: ({ projectDisplayName, projectPath }) => [projectDisplayName, projectPath],
  branch: ({ gitBranch }) => [gitBranch],
  state: ({ agentState }) => [agentState.state, agentState.label, styleOf(agentState).label],
  group: (session) => [columnOf(session), GROUP_LOOKS[columnOf(session)].title],
  model: ({ model }) => [model],
  machine: ({ machine }) => [machine],
  mode: ({ permissionMode }) => [permissionMode],
  id: ({ id }) => [id],
} satisfies Record<string, (session: LiveSession) => Array<string | null>>;
type Field = keyof typeof FIELDS;
export const FILTER_FIELDS = Object.keys(FIELDS) as Field[];

/** Fields that a plain word is searched in. */
const ANYWHERE: readonly Field[] = ['title', 'project', 'branch', 'state', 'model'];
/** Don't search a megabyte of title on every key press. */
const SEARCHED_CHARS = 1000;

/** Sessions are replaced, never mutated, so computed text stays valid. */
const haystacks = new WeakMap<LiveSession, Map<string, string>>();

/** All conditions must hold. */
export function matchesFilter(session: LiveSession, terms: readonly Term[]): boolean {
  return terms.every(({ field, text, negated }) => haystackOf(session, field).includes(text) !== negated);
}

/** `deploy project:shop state:"needs permission" -branch:main` */
export function parseFilter(filter: string): Term[] {
  const words = filter.toLowerCase().match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
  return words.flatMap((word) => {
    const negated = word.length > 1 && word.startsWith('-');
    const [, name = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(negated ? word.slice(1) : word) ?? [];
    const field = Object.hasOwn(FIELDS, name) ? (name as Field) : null;
    const text = (field ? rest : negated ? word.slice(1) : word).replaceAll('"', '');
    // `-` and `project:` are still being typed.
    return text === '' || text === '-' ? [] : { field, text, negated };
  });
}

function haystackOf(session: LiveSession, field: Field | null): string {
  const known = haystacks.get(session) ?? new Map<string, string>();
  haystacks.set(session, known);
  const key = field ?? '';
  const ready = known.get(key);
  if (ready !== undefined) return ready;
  const texts = (field ? [field] : ANYWHERE).flatMap((name) => FIELDS[name](session));
  const haystack = texts.map((text) => (text ?? '').slice(0, SEARCHED_CHARS).toLowerCase()).join('\n');
  known.set(key, haystack);
  return haystack;
}
