import type { Activity } from '../../../src/contract/stats.ts';
import { formatTokens } from '../ui/format.ts';
import { busiest, toWeek } from './week-hours.ts';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const LONG_DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** All weeks in the range summed into one. Busier hours have larger dots, not only darker ones. */
export function HourMap({ activity }: { activity: Activity }) {
  const week = toWeek(activity.hours);
  const most = Math.max(...week.flat().map(({ messages }) => messages));
  const top = busiest(week);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-2">
        {top ? (
          <>
            All weeks combined: busiest on <strong>{LONG_DAYS[top.day]}s</strong>, {range(top.hour)}, with{' '}
            {top.messages.toLocaleString()} responses and {formatTokens(top.tokens)} tokens.
          </>
        ) : (
          'No activity in this period.'
        )}
      </p>
      <table className="heat-map" aria-label="Responses by weekday and hour">
        <thead>
          <tr>
            <td />
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                <span className={hour % 6 === 0 ? '' : 'sr-only'}>{hour}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {week.map((hours, day) => (
            <tr key={DAYS[day]}>
              <th scope="row">{DAYS[day]}</th>
              {hours.map(({ messages, tokens }, hour) => (
                <td
                  key={HOURS[hour]}
                  title={`${LONG_DAYS[day]}, ${range(hour)}: ${messages.toLocaleString()} responses, ${formatTokens(tokens)} tokens`}
                >
                  <span
                    aria-hidden
                    className="heat-dot"
                    data-none={messages === 0 || undefined}
                    style={{ '--heat': messages === 0 ? 0 : Math.sqrt(messages / most) } as React.CSSProperties}
                  />
                  <span className="sr-only">{messages}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function range(hour: number): string {
  return `${hour}:00 to ${hour + 1}:00`;
}
