import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { GROUPS, type Group } from '../../../src/contract/groups.ts';
import { HooksNotice } from '../hooks/hooks-notice.tsx';
import { InstallDialog } from '../hooks/install-dialog.tsx';
import { useHooks } from '../hooks/use-hooks.ts';
import { useLive, usePhase } from '../live/live.ts';
import { ShortcutsDialog } from '../ui/shortcuts-dialog.tsx';
import { createBoardStore } from './board-store.ts';
import { Column } from './column.tsx';
import { useTabMark } from './tab-mark.ts';
import { Tabs } from './tabs.tsx';
import { TopBar } from './top-bar.tsx';
import { useBoardKeys } from './use-board-keys.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { Welcome } from './welcome.tsx';

const REFRESH_MS = 10_000;

export function BoardPage() {
  const { board, columns, filter, ready } = useBoard();
  const hooks = useHooks();
  const live = usePhase().name === 'live';
  const [dialog, setDialog] = useState<'install' | 'shortcuts' | null>(null);
  const [tab, setTab] = useState<Group>('needs_you');
  const [openIds, toggle] = useToggledIds();
  const boardRef = useRef<HTMLElement>(null);
  const filterRef = useRef<HTMLInputElement>(null);
  const showInstall = useCallback(() => setDialog('install'), []);
  const showShortcuts = useCallback(() => setDialog('shortcuts'), []);
  const closeDialog = useCallback(() => setDialog(null), []);
  const waiting = columns.needs_you.total;
  const empty = GROUPS.every((group) => columns[group].total === 0);

  useBoardKeys({ board: boardRef, filter: filterRef, onHelp: showShortcuts });
  useTabMark({ waiting, live });
  const keptFocus = useKeptFocus(boardRef, columns);

  return (
    <div className="shell">
      <TopBar
        filterRef={filterRef}
        onFilter={board.setFilter}
        hooks={hooks}
        onInstall={showInstall}
        onHelp={showShortcuts}
      />
      {ready && !empty && <HooksNotice hooks={hooks} onInstall={showInstall} />}
      {ready && empty ? (
        <main className="flex min-h-0 flex-1">
          <Welcome hooks={hooks} onInstall={showInstall} />
        </main>
      ) : (
        <main ref={boardRef} className="board" data-tab={tab} aria-label="Sessions" aria-busy={!ready} {...keptFocus}>
          {GROUPS.map((group) => (
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
      <Tabs columns={columns} tab={tab} onTab={setTab} />
      <p role="status" className="sr-only">
        {ready && (waiting === 1 ? '1 session needs you' : `${waiting} sessions need you`)}
      </p>
      {dialog === 'install' && <InstallDialog hooks={hooks} onClose={closeDialog} />}
      {dialog === 'shortcuts' && <ShortcutsDialog onClose={closeDialog} />}
    </div>
  );
}

function useBoard() {
  const { store } = useLive();
  const [board] = useState(() => createBoardStore({ store }));
  useEffect(() => {
    const timer = setInterval(board.refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, [board]);
  return { board, ...useSyncExternalStore(board.subscribe, board.snapshot) };
}

/** Which cards are open. Kept here and not in the card, which is built anew when it moves to another column. */
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
