import { useEffect, useRef } from 'react';
import type { Activity } from '../../../src/contract/stats.ts';
import { formatTokens } from '../ui/format.ts';
import { busiestDay, monthStarts, toCalendar } from './calendar.ts';
import { localDay, type Range } from './range.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const LONG = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });

/** Few enough that each day can be larger. */
const FEW_WEEKS = 14;

/** A calendar with a column per week. Busier days have larger dots, not only darker ones. */
export function DayMap({ activity, range }: { activity: Activity; range: Range }) {
  const box = useRef<HTMLDivElement>(null);
  const today = localDay(new Date());
  const days = activity.hours.map(({ day }) => day).sort();
  const weeks = toCalendar(activity.hours, { first: range.after ?? days[0] ?? today, last: range.before ?? today });
  const top = busiestDay(weeks);
  const months = monthStarts(weeks);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another span begins at its end, which is the present
  useEffect(() => {
    if (box.current) box.current.scrollLeft = box.current.scrollWidth;
  }, [weeks.length]);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-2">
        {top ? (
          <>
            Busiest on <strong>{LONG.format(noon(top.day))}</strong>: {top.messages.toLocaleString()} responses,{' '}
            {formatTokens(top.tokens)} tokens.
          </>
        ) : (
          'No activity in this period.'
        )}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section ref={box} className="day-map-scroll" aria-label="Responses by day" tabIndex={0}>
        <table
          className="heat-map day-map"
          data-few={weeks.length <= FEW_WEEKS || undefined}
          style={{ '--weeks': weeks.length } as React.CSSProperties}
        >
          <thead>
            <tr>
              <td />
              {weeks.map(({ monday }) => (
                <th key={monday} scope="col">
                  {months.has(monday) && <span aria-hidden>{MONTH.format(noon(`${months.get(monday)}-15`))}</span>}
                  <span className="sr-only">Week of {monday}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {WEEKDAYS.map((name, weekday) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {weeks.map(({ monday, days: ofWeek }) => {
                  const day = ofWeek[weekday];
                  if (!day) return <td key={monday} />;
                  const { messages, tokens } = day;
                  return (
                    <td
                      key={monday}
                      title={`${LONG.format(noon(day.day))}: ${messages.toLocaleString()} responses, ${formatTokens(tokens)} tokens`}
                    >
                      <span
                        aria-hidden
                        className="heat-dot"
                        data-none={messages === 0 || undefined}
                        style={{ '--heat': top ? Math.sqrt(messages / top.messages) : 0 } as React.CSSProperties}
                      />
                      <span className="sr-only">{messages}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

const noon = (day: string) => Date.parse(`${day}T12:00:00Z`);
