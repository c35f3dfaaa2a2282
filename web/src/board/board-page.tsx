import { SearchX } from 'lucide-react';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { GROUPS, type Group } from '../../../src/contract/groups.ts';
import { lazyPart } from '../app/load-part.ts';
import { HooksDialog } from '../hooks/hooks-dialog.tsx';
import { HooksNotice } from '../hooks/hooks-notice.tsx';
import { useHooks } from '../hooks/use-hooks.ts';
import { useBoard, useLive } from '../live/live.ts';
import { Empty, Skeleton } from '../ui/states.tsx';
import { Column } from './column.tsx';
import { GridView } from './grid-view.tsx';
import { Tabs } from './tabs.tsx';
import { TopBar } from './top-bar.tsx';
import { useBoardKeys } from './use-board-keys.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useView } from './use-view.ts';
import { Welcome } from './welcome.tsx';

const MonitorView = lazyPart(async () => ({ default: (await import('../session/monitor-view.tsx')).MonitorView }));
const ListView = lazyPart(() => import('./list-view.tsx'));

const REFRESH_MS = 10_000;

export function BoardPage() {
  const { board } = useLive();
  const { columns, filter, ready } = useBoard();
  const shown = useView();
  const hooks = useHooks();
  const [installing, setInstalling] = useState(false);
  const [tab, setTab] = useState<Group>('needs_you');
  const [openIds, toggle] = useToggledIds();
  const boardRef = useRef<HTMLElement>(null);
  const filterRef = useRef<HTMLInputElement>(null);
  const showInstall = useCallback(() => setInstalling(true), []);
  const empty = GROUPS.every((group) => columns[group].total === 0);
  const { view } = shown;
  const unmatched = filter !== '' && !empty && GROUPS.every((group) => columns[group].ids.length === 0);
  const clearFilter = () => {
    shown.setFilter('');
    filterRef.current?.focus();
  };

  useBoardKeys({ view, board: boardRef, filter: filterRef, onToggle: toggle });
  useEffect(() => {
    const timer = setInterval(board.refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, [board]);
  const keptFocus = useKeptFocus(boardRef, columns);

  return (
    <>
      <TopBar filterRef={filterRef} shown={shown} />
      {ready && !empty && <HooksNotice hooks={hooks} onInstall={showInstall} />}
      {ready && empty && (
        <main className="flex min-h-0 flex-1">
          <Welcome hooks={hooks} onInstall={showInstall} />
        </main>
      )}
      {!(ready && empty) && view === 'monitor' && (
        <Suspense fallback={<Skeleton what="the panes" />}>
          <MonitorView mainRef={boardRef} />
        </Suspense>
      )}
      {unmatched && view !== 'monitor' && (
        <main ref={boardRef} className="min-h-0 flex-1 overflow-y-auto" aria-label="Sessions">
          <Empty icon={SearchX} title="No matching sessions">
            <button type="button" className="button" onClick={clearFilter}>
              Clear filter
            </button>
          </Empty>
        </main>
      )}
      {!(ready && empty) && !unmatched && view !== 'monitor' && (
        <main
          ref={boardRef}
          className="board"
          data-tab={tab}
          data-view={view === 'board' ? undefined : view}
          aria-label="Sessions"
          aria-busy={!ready}
          {...keptFocus}
        >
          {view === 'grid' && <GridView columns={columns} openIds={openIds} onToggle={toggle} />}
          {view === 'list' && (
            <Suspense fallback={<Skeleton what="the list" />}>
              <ListView columns={columns} />
            </Suspense>
          )}
          {view === 'board' &&
            GROUPS.map((group) => (
              <Column
                key={group}
                group={group}
                column={columns[group]}
                filtered={filter !== ''}
                openIds={openIds}
                onToggle={toggle}
              />
            ))}
        </main>
      )}
      {view === 'board' && <Tabs columns={columns} tab={tab} onTab={setTab} />}
      {installing && <HooksDialog change="install" hooks={hooks} onClose={() => setInstalling(false)} />}
    </>
  );
}

/** Which cards are expanded. Kept here because a card is rebuilt when it moves to another column. */
function useToggledIds(): [ReadonlySet<string>, (id: string) => void] {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => {
    setIds((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  return [ids, toggle];
}
