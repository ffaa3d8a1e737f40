// The chart of days on /status: how many etches were anchored on each day, and how long the slowest tree took.
import { countText, dayText, utcDayText } from '../format.ts';
import { Figures } from './lists.tsx';

interface Day {
  day: string;
  anchored: number;
  slowest_seconds: number | null;
}

type StatusDaysProps = { days: readonly Day[]; lateSeconds: number; span: (seconds: number) => string };

const [BAR, GAP, HEIGHT, LEAST] = [9, 3, 60, 3];

export function StatusDays({ days, lateSeconds, span }: StatusDaysProps) {
  const isLate = ({ slowest_seconds: slowest }: Day): boolean => slowest !== null && slowest > lateSeconds;
  const most = Math.max(1, ...days.map(({ anchored }) => anchored));
  const highest = days.find(({ anchored }) => anchored === most);
  const late = days.filter(isLate);
  const total = days.reduce((sum, { anchored }) => sum + anchored, 0);
  const slowest = Math.max(0, ...days.map(({ slowest_seconds: seconds }) => seconds ?? 0));
  if (total === 0) {
    return (
      <p class="empty">
        Nothing was anchored in the last {days.length} days. The chart begins with the next anchored etch.
      </p>
    );
  }
  const busy = days.filter(({ anchored }) => anchored > 0);
  return (
    <>
      <p>
        {`${countText(total, 'etch or retraction', 'etches and retractions')} anchored in ${days.length} days, the slowest tree ${span(slowest)} after its newest leaf. ${
          late.length === 0
            ? `No tree took more than ${span(lateSeconds)}.`
            : `Late, after more than ${span(lateSeconds)}: ${countText(late.length, 'day')}.`
        }`}
      </p>
      {highest && (
        <p class="quiet">
          Highest bar: {most.toLocaleString('en')} on {utcDayText(highest.day)}
        </p>
      )}
      <svg
        class="days"
        viewBox={`0 0 ${days.length * (BAR + GAP) - GAP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Etches and retractions anchored on each day; the table below has the numbers"
      >
        {days.map((day, at) => {
          const height = day.anchored === 0 ? 1 : LEAST + (day.anchored / most) * (HEIGHT - LEAST);
          return (
            <rect
              class={day.anchored === 0 ? 'none' : isLate(day) ? 'late' : undefined}
              x={at * (BAR + GAP)}
              y={(HEIGHT - height).toFixed(1)}
              width={BAR}
              height={height.toFixed(1)}
            />
          );
        })}
      </svg>
      <p class="quiet days-ends">
        <span>{dayText(days[0]!.day)}</span> <span>today</span>
      </p>
      <details>
        <summary>The days in numbers</summary>
        <Figures heads={['Day (UTC)', 'Anchored', 'Slowest tree']}>
          {busy.toReversed().map((day) => (
            <tr>
              <th scope="row">{dayText(day.day)}</th>
              <td>{day.anchored.toLocaleString('en')}</td>
              <td>
                {span(day.slowest_seconds ?? 0)}
                {isLate(day) && ', late'}
              </td>
            </tr>
          ))}
        </Figures>
      </details>
    </>
  );
}
