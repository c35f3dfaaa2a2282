import { useState } from 'react';
import type { StatsRow } from '../../../src/contract/stats.ts';
import { clipLine } from '../ui/format.ts';

export interface ShareColumn {
  name: string;
  show: (row: StatsRow) => string;
  /** Hidden on a phone. */
  minor?: boolean;
}

interface Props {
  what: string;
  rows: readonly StatsRow[];
  label: (row: StatsRow) => string;
  weigh: (row: StatsRow) => number;
  columns: readonly ShareColumn[];
  empty: string;
}

const FIRST = 8;

/** Rows with bars, relative to the largest value. */
export function ShareTable({ what, rows, label, weigh, columns, empty }: Props) {
  const [isAll, setIsAll] = useState(false);
  if (rows.length === 0) return <p className="text-ink-3">{empty}</p>;
  const most = Math.max(...rows.map(weigh), 0);
  const shown = isAll ? rows : rows.slice(0, FIRST);
  return (
    <div className="flex flex-col gap-2">
      <table className="share-table">
        <thead>
          <tr>
            <th scope="col">{what}</th>
            {columns.map(({ name, minor }) => (
              <th key={name} scope="col" data-minor={minor || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.key}>
              <th scope="row" title={clipLine(row.key, 300)}>
                <bdi className="share-label">{clipLine(label(row), 80)}</bdi>
                <span aria-hidden className="share-track">
                  <span className="share-bar" style={{ width: `${most > 0 ? (weigh(row) / most) * 100 : 0}%` }} />
                </span>
              </th>
              {columns.map(({ name, show, minor }) => (
                <td key={name} data-minor={minor || undefined}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > FIRST && (
        <button type="button" className="button self-start" onClick={() => setIsAll(!isAll)}>
          {isAll ? 'Show fewer' : `Show all ${rows.length}`}
        </button>
      )}
    </div>
  );
}
