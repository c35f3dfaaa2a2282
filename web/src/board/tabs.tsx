import { GROUPS, type Group } from '../../../src/contract/groups.ts';
import { useAttention } from '../live/live.ts';
import type { BoardSnapshot } from './board-store.ts';
import { GROUP_LOOKS } from './groups.ts';

interface Props {
  columns: BoardSnapshot['columns'];
  tab: Group;
  onTab: (group: Group) => void;
}

export function Tabs({ columns, tab, onTab }: Props) {
  const { requests, idle } = useAttention();
  return (
    <nav className="tabs" aria-label="Groups">
      {GROUPS.map((group) => {
        const { title, tone } = GROUP_LOOKS[group];
        const current = group === tab;
        const total = group === 'needs_you' ? requests : columns[group].total;
        return (
          <button
            key={group}
            type="button"
            data-tone={tone}
            aria-current={current ? 'true' : undefined}
            className={`relative flex min-h-14 flex-col items-center justify-center gap-0.5 font-medium -outline-offset-4 ${current ? 'text-ink' : 'text-ink-3'}`}
            onClick={() => onTab(group)}
          >
            {current && <span aria-hidden className="absolute inset-x-4 top-0 h-0.5 rounded-full bg-tone-edge" />}
            <span className={`text-xl leading-none font-semibold tabular-nums ${total > 0 ? 'text-tone' : ''}`}>
              {total}
            </span>
            <span className="text-xs">
              {title}
              {group === 'needs_you' && idle > 0 && ` · ${idle} idle`}
            </span>
          </button>
        );
      })}
    </nav>
  );
}
