import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { View } from '../app/router.tsx';
import { useLive } from '../live/live.ts';
import type { Grouping } from './board-store.ts';

/** A keystroke shouldn't cost a navigation. */
const ADDRESS_MS = 250;

/** Which sessions are shown and how. Kept in the address, so it can be bookmarked and shared. */
export function useView() {
  const { view = 'board', by = null, filter: wanted = '' } = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  const { board } = useLive();
  const [filter, setFilter] = useState(wanted);
  /** What we put in the address but haven't seen there yet: it may arrive late, after more was typed. */
  const own = useRef<string[]>([]);
  useEffect(() => {
    const at = own.current.indexOf(wanted);
    own.current.splice(0, at + 1);
    // Something else changed the address: the back button, a link.
    if (at < 0) setFilter(wanted);
  }, [wanted]);

  useEffect(() => board.setFilter(filter), [board, filter]);
  useEffect(() => board.setGrouping(by), [board, by]);
  useEffect(
    () => () => {
      board.setFilter('');
      board.setGrouping(null);
    },
    [board],
  );
  useEffect(() => {
    if (filter === wanted) return;
    const timer = setTimeout(() => {
      own.current.push(filter);
      void navigate({ search: (before) => ({ ...before, filter: filter || undefined }), replace: true });
    }, ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [filter, wanted, navigate]);

  return {
    view,
    by,
    filter,
    setFilter,
    setView: useCallback(
      (next: View) => void navigate({ search: (before) => ({ ...before, view: next === 'board' ? undefined : next }) }),
      [navigate],
    ),
    setBy: useCallback(
      (next: Grouping | null) => void navigate({ search: (before) => ({ ...before, by: next ?? undefined }) }),
      [navigate],
    ),
  };
}
