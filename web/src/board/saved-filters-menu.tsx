import { Bookmark, Pencil, X } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { clipLine } from '../ui/format.ts';
import { Menu, MenuDivider, MenuItem } from '../ui/menu.tsx';
import { removeFilter, saveFilter, useSavedFilters } from './saved-filters.ts';

interface Props {
  filter: string;
  onFilter: (filter: string) => void;
}

export function SavedFiltersMenu({ filter, onFilter }: Props) {
  const saved = useSavedFilters();
  const [editing, setEditing] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <button type="button" className="icon-button" aria-label="Saved filters" title="Saved filters">
            <Bookmark aria-hidden size={17} />
          </button>
        }
      >
        {saved.map(({ name, filter: text }) => (
          <MenuItem key={name} onSelect={() => onFilter(text)}>
            <bdi className="min-w-0 flex-1 truncate font-medium">{clipLine(name, 60)}</bdi>
            <bdi className="max-w-40 truncate text-ink-3">{clipLine(text, 60)}</bdi>
          </MenuItem>
        ))}
        {saved.length > 0 && <MenuDivider />}
        <MenuItem onSelect={() => setEditing(true)}>
          <Pencil aria-hidden size={15} /> {filter ? 'Save this filter…' : 'Saved filters…'}
        </MenuItem>
      </Menu>
      {editing && <SavedFiltersDialog filter={filter} onClose={() => setEditing(false)} />}
    </>
  );
}

function SavedFiltersDialog({ filter, onClose }: { filter: string; onClose: () => void }) {
  const saved = useSavedFilters();
  const [name, setName] = useState('');
  return (
    <Dialog title="Saved filters" onClose={onClose}>
      <div className="flex flex-col gap-4">
        {filter ? (
          <form
            data-fields
            className="flex flex-wrap items-end gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              if (!name.trim()) return;
              saveFilter({ name: name.trim(), filter });
              onClose();
            }}
          >
            <label className="flex min-w-48 flex-1 flex-col gap-1">
              <span className="text-ink-2">
                Save <bdi className="font-mono">{clipLine(filter, 80)}</bdi> as
              </span>
              <input className="field" maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />
            </label>
            <button type="submit" className="button" data-kind="primary" disabled={!name.trim()}>
              Save
            </button>
          </form>
        ) : (
          <p className="text-ink-2">Enter a filter first, then save it here.</p>
        )}
        {saved.length > 0 && (
          <ul className="flex flex-col gap-1">
            {saved.map(({ name: one, filter: text }) => (
              <li key={one} className="flex items-center gap-3 border-t border-line pt-1">
                <bdi className="min-w-0 flex-1 truncate font-medium">{clipLine(one, 60)}</bdi>
                <bdi className="max-w-56 truncate font-mono text-sm text-ink-3">{clipLine(text, 100)}</bdi>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={`Remove ${clipLine(one, 60)}`}
                  onClick={() => removeFilter(one)}
                >
                  <X aria-hidden size={16} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
