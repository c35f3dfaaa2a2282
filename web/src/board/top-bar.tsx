import { Columns3, Grid2x2, List, Monitor } from 'lucide-react';
import type { RefObject } from 'react';
import type { View } from '../app/router.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { FilterBox } from './filter-box.tsx';
import { SavedFiltersMenu } from './saved-filters-menu.tsx';
import type { useView } from './use-view.ts';

interface Props {
  filterRef: RefObject<HTMLInputElement | null>;
  shown: ReturnType<typeof useView>;
}

const VIEW_OPTIONS: ReadonlyArray<{ value: View; label: string; icon: React.ReactNode }> = [
  { value: 'board', label: 'Board', icon: <Columns3 aria-hidden size={15} /> },
  { value: 'grid', label: 'Grid', icon: <Grid2x2 aria-hidden size={15} /> },
  { value: 'list', label: 'List', icon: <List aria-hidden size={15} /> },
  { value: 'monitor', label: 'Monitor', icon: <Monitor aria-hidden size={15} /> },
];

export function TopBar({ filterRef, shown }: Props) {
  const { view, by, filter, setFilter, setView, setBy } = shown;
  return (
    <section className="board-bar" aria-label="Filter and view">
      <h1 className="sr-only">Sessions</h1>
      <FilterBox inputRef={filterRef} filter={filter} onFilter={setFilter} />
      <SavedFiltersMenu filter={filter} onFilter={setFilter} />
      <div className="board-bar-views">
        <select
          aria-label="Group by"
          className="field"
          value={by ?? ''}
          onChange={(event) => setBy((event.target.value || null) as typeof by)}
        >
          <option value="">No groups</option>
          <option value="project">By project</option>
          <option value="branch">By branch</option>
        </select>
        <Segmented label="View" value={view} options={VIEW_OPTIONS} onChange={setView} />
      </div>
    </section>
  );
}
