import { Columns3, Grid2x2, List, Monitor } from 'lucide-react';
import type { RefObject } from 'react';
import type { View } from '../app/router.tsx';
import { StopAll } from '../control/stop-all.tsx';
import { NewSessionButton } from '../orchestration/new-session-button.tsx';
import { Menu, MenuChoice, MenuDivider, MenuHeading } from '../ui/menu.tsx';
import { Segmented } from '../ui/segmented.tsx';
import type { Grouping } from './board-store.ts';
import { FilterBox } from './filter-box.tsx';
import { SavedFiltersMenu } from './saved-filters-menu.tsx';
import type { useView } from './use-view.ts';

interface Props {
  filterRef: RefObject<HTMLInputElement | null>;
  shown: ReturnType<typeof useView>;
}

const GROUPINGS: ReadonlyArray<{ value: Grouping | ''; label: string }> = [
  { value: '', label: 'No groups' },
  { value: 'project', label: 'By project' },
  { value: 'branch', label: 'By branch' },
];

const VIEW_OPTIONS: ReadonlyArray<{ value: View; label: string; icon: React.ReactNode }> = [
  { value: 'board', label: 'Board', icon: <Columns3 aria-hidden size={16} /> },
  { value: 'grid', label: 'Grid', icon: <Grid2x2 aria-hidden size={16} /> },
  { value: 'list', label: 'List', icon: <List aria-hidden size={16} /> },
  { value: 'monitor', label: 'Monitor', icon: <Monitor aria-hidden size={16} /> },
];

export function TopBar({ filterRef, shown }: Props) {
  const { view, by, filter, setFilter, setView, setBy } = shown;
  return (
    <section className="board-bar" aria-label="Filter and view">
      <h1 className="sr-only">Sessions</h1>
      <FilterBox inputRef={filterRef} filter={filter} onFilter={setFilter} />
      <SavedFiltersMenu filter={filter} onFilter={setFilter} />
      <NewSessionButton />
      <StopAll />
      <div className="board-bar-views">
        {view !== 'monitor' && (
          <select
            aria-label="Group by"
            className="field"
            value={by ?? ''}
            onChange={(event) => setBy((event.target.value || null) as typeof by)}
          >
            {GROUPINGS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
        <Segmented label="View" value={view} options={VIEW_OPTIONS} onChange={setView} />
      </div>
      <PhoneViews shown={shown} />
    </section>
  );
}

/** The same choices behind one button, for narrow screens. */
function PhoneViews({ shown: { view, by, setView, setBy } }: { shown: Props['shown'] }) {
  const current = VIEW_OPTIONS.find(({ value }) => value === view);
  return (
    <div className="board-bar-phone">
      <Menu
        trigger={
          <button type="button" className="icon-button" aria-label={`View: ${current?.label}`}>
            {current?.icon}
          </button>
        }
      >
        <MenuHeading>View</MenuHeading>
        {VIEW_OPTIONS.map(({ value, label, icon }) => (
          <MenuChoice key={value} chosen={value === view} onSelect={() => setView(value)}>
            {icon} {label}
          </MenuChoice>
        ))}
        {view !== 'monitor' && (
          <>
            <MenuDivider />
            <MenuHeading>Groups</MenuHeading>
            {GROUPINGS.map(({ value, label }) => (
              <MenuChoice key={value} chosen={value === (by ?? '')} onSelect={() => setBy(value || null)}>
                {label}
              </MenuChoice>
            ))}
          </>
        )}
      </Menu>
    </div>
  );
}
