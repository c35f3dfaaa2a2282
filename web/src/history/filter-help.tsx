import { insertFilter } from './insert-filter.ts';

const FILTERS: ReadonlyArray<{ filter: string; insert: string; what: string }> = [
  { filter: 'project:app', insert: 'project:', what: 'a part of the project’s name, or its folder' },
  { filter: 'branch:main', insert: 'branch:', what: 'the branch, or a part of its name' },
  { filter: 'model:opus', insert: 'model:', what: 'sessions that used it' },
  { filter: 'file:src/main.ts', insert: 'file:', what: 'sessions that read or changed it' },
  { filter: 'tool:Bash', insert: 'tool:', what: 'what the tool was given or gave back' },
  {
    filter: 'kind:prompt',
    insert: 'kind:prompt',
    what: 'or answer, thinking, tool_input, tool_output, command, summary, attachment, notice',
  },
  { filter: 'after:7d', insert: 'after:', what: 'a day, today, yesterday, 12h, 7d, 2w' },
  { filter: 'before:2026-11-01', insert: 'before:', what: 'likewise' },
  { filter: 'is:running', insert: 'is:running', what: 'sessions that run now' },
];

interface Props {
  query: string;
  onInsert: (query: string) => void;
}

/** What one can write in the search box; a filter that is clicked goes there. */
export function FilterHelp({ query, onInsert }: Props) {
  return (
    <section aria-label="How to search" className="panel filter-help">
      <p className="text-ink-2">
        All words must be in the same message. <span className="code">webhook</span> finds webhooks too,{' '}
        <span className="code">"webhook"</span> only itself. End with <span className="code">-word</span> to leave a
        word out. Flags and paths match exactly.
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
