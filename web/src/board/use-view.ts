import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import type { View } from '../app/router.tsx';
import { useLive } from '../live/live.ts';
import type { Grouping } from './board-store.ts';

/** A letter should not cost a navigation. */
const ADDRESS_MS = 250;

/** What of the sessions is shown, and how: in the address, so that it can be kept and sent. */
export function useView() {
  const { view = 'board', by = null, filter: wanted = '' } = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  const { board } = useLive();
  const [filter, setFilter] = useState(wanted);
  const [seen, setSeen] = useState(wanted);
  // the address was changed by something else: the way back, a link
  if (wanted !== seen) {
    setSeen(wanted);
    setFilter(wanted);
  }

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
      setSeen(filter);
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
