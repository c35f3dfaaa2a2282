import { insertFilter } from './insert-filter.ts';

const FILTERS: ReadonlyArray<{ filter: string; insert: string; what: string }> = [
  { filter: 'project:app', insert: 'project:', what: 'project name or folder' },
  { filter: 'branch:main', insert: 'branch:', what: 'branch name or part of it' },
  { filter: 'model:opus', insert: 'model:', what: 'sessions that used it' },
  { filter: 'file:src/main.ts', insert: 'file:', what: 'sessions that read or changed it' },
  { filter: 'tool:Bash', insert: 'tool:', what: 'tool input and output' },
  {
    filter: 'kind:prompt',
    insert: 'kind:prompt',
    what: 'or answer, thinking, tool_input, tool_output, command, summary, attachment, notice',
  },
  { filter: 'after:7d', insert: 'after:', what: 'a date, today, yesterday, 12h, 7d, 2w' },
  { filter: 'before:2026-11-01', insert: 'before:', what: 'the same' },
  { filter: 'is:running', insert: 'is:running', what: 'running sessions' },
];

interface Props {
  query: string;
  onInsert: (query: string) => void;
}

/** Search syntax. Clicking a filter inserts it. */
export function FilterHelp({ query, onInsert }: Props) {
  return (
    <section aria-label="How to search" className="panel filter-help">
      <p className="text-ink-2">
        All words must be in the same message. <span className="code">webhook</span> also finds webhooks;{' '}
        <span className="code">"webhook"</span>
        doesn't. To exclude a word, end with <span className="code">-word</span>. Flags and paths match exactly.
      </p>
      <ul className="filter-help-list">
        {FILTERS.map(({ filter, insert, what }) => (
          <li key={filter}>
            <button type="button" className="filter-chip" onClick={() => onInsert(insertFilter(query, insert))}>
              {filter}
            </button>
            <span className="text-ink-3">{what}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
