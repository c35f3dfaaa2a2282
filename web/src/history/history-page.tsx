import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../api/request.ts';
import { Page } from '../ui/page.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { FilterHelp } from './filter-help.tsx';
import { IndexProgress } from './index-progress.tsx';
import { HitList, isBadQuery, SessionList, useHits, useSessions } from './results.tsx';
import { SearchBox } from './search-box.tsx';

const route = getRouteApi('/history');
const TYPING_MS = 200;

const SHOW = [
  { value: 'messages', label: 'Messages' },
  { value: 'sessions', label: 'Sessions' },
] as const;

const SORTS = [
  { value: 'recent', label: 'Latest' },
  { value: 'cost', label: 'Cost' },
  { value: 'tokens', label: 'Tokens' },
] as const;

/** Every session on disk, and full-text search over all of them. */
export function HistoryPage() {
  const { q = '', sort = 'recent', show = 'messages' } = route.useSearch();
  const navigate = route.useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(q);
  const [helpOpen, setHelpOpen] = useState(false);

  // Typing updates the address after a pause; a new address updates the box.
  const typed = useRef(q);
  useEffect(() => {
    if (q === typed.current) return;
    typed.current = q;
    setText(q);
  }, [q]);
  useEffect(() => {
    if (text.trim() === typed.current.trim()) return;
    const timer = setTimeout(() => {
      typed.current = text.trim();
      void navigate({ search: (old) => ({ ...old, q: text.trim() || undefined }), replace: true });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, navigate]);

  const isSearch = q.trim() !== '';
  const showsHits = isSearch && show === 'messages';
  const hits = useHits(q.trim(), { enabled: showsHits });
  const sessions = useSessions(q.trim(), sort, { enabled: !showsHits });
  const { error } = showsHits ? hits : sessions;
  const { total, isTotalCapped = false } = sessions.data?.pages[0] ?? {};

  useShortcuts('History', [
    { keys: ['/'], what: 'Search', run: () => field.current?.focus() },
    { keys: ['j', 'ArrowDown'], what: 'Next', run: () => moveFocus(1) },
    { keys: ['k', 'ArrowUp'], what: 'Previous', run: () => moveFocus(-1) },
  ]);

  return (
    <Page
      title="History"
      actions={
        <>
          {isSearch && (
            <Segmented
              label="Show"
              value={show}
              options={SHOW}
              onChange={(next) => void navigate({ search: (old) => ({ ...old, show: next }), replace: true })}
            />
          )}
          {!showsHits && (
            <Segmented
              label="Sort by"
              value={sort}
              options={SORTS}
              onChange={(next) => void navigate({ search: (old) => ({ ...old, sort: next }), replace: true })}
            />
          )}
        </>
      }
      bar={
        <SearchBox
          field={field}
          value={text}
          onChange={setText}
          helpOpen={helpOpen}
          onHelp={() => setHelpOpen(!helpOpen)}
          problem={isBadQuery(error) ? messageOf(error) : null}
        />
      }
    >
      <div className="history">
        {helpOpen && (
          <FilterHelp
            query={text}
            onInsert={(next) => {
              setText(next);
              field.current?.focus();
            }}
          />
        )}
        <IndexProgress />
        {!showsHits && total !== undefined && total > 0 && (
          <p className="text-ink-3 tabular-nums" aria-live="polite">
            {total}
            {isTotalCapped && '+'} {total === 1 ? 'session' : 'sessions'}
          </p>
        )}
        {showsHits ? <HitList query={hits} /> : <SessionList query={sessions} isFiltered={isSearch} />}
      </div>
    </Page>
  );
}

function moveFocus(step: 1 | -1) {
  const links = [...document.querySelectorAll<HTMLElement>('[data-result]')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? (step === 1 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + step));
  links[next]?.focus();
  links[next]?.scrollIntoView({ block: 'nearest' });
}
