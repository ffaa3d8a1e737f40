import { dayText } from '../format.ts';

const KINDS = ['revealed', 'sealed', 'retracted', 'taken_down'] as const;
type Fates = Readonly<Record<(typeof KINDS)[number], number>>;

export type TimelineDay = Fates & { day: string };

const DAY = 86_400_000;
const WIDTH = 720;
const HEIGHT = 96;

type Bar = Fates & { from: number };

/** A shorter time would be one block. */
const FEWEST_DAYS = 3;

export function Timeline({ days }: { days: readonly TimelineDay[] }) {
  if (days.length === 0) return null;
  const first = Date.parse(days[0]!.day);
  const last = Date.parse(days.at(-1)!.day);
  const span = Math.round((last - first) / DAY) + 1;
  if (span < FEWEST_DAYS) return null;
  const width = span <= 60 ? 1 : span <= 420 ? 7 : Math.ceil(span / 60);
  const count = Math.max(14, Math.ceil(span / width));
  const bars = gather(days, first, width);
  const highest = Math.max(1, ...bars.map(total));
  const step = WIDTH / count;
  const sums = bars.reduce(add, empty(0));
  return (
    <figure class="timeline">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Etches from ${dayText(days[0]!.day)} to ${dayText(days.at(-1)!.day)}: ${sums.revealed} public, ${sums.sealed} sealed, ${sums.retracted} retracted${sums.taken_down > 0 ? `, ${sums.taken_down} taken down by the operator` : ''}.`}
      >
        {bars.map((bar) => column(bar, bar.from * step, Math.min(step, 36), (HEIGHT - 8) / highest))}
      </svg>
      <p class="ends">
        <span>{dayText(days[0]!.day)}</span>
        <span>{dayText(new Date(first + (count * width - 1) * DAY).toISOString())}</span>
      </p>
      <figcaption>
        <span class="key revealed">public</span>
        <span class="key sealed">sealed</span>
        <span class="key retracted">retracted</span>
        {sums.taken_down > 0 && <span class="key taken_down">taken down by the operator</span>}
        <span class="quiet">{width === 1 ? 'one bar a day' : `one bar for ${width} days`}, in UTC</span>
      </figcaption>
    </figure>
  );
}

function column(bar: Bar, x: number, width: number, unit: number) {
  let top = HEIGHT;
  return (
    <g>
      {KINDS.filter((kind) => bar[kind] > 0).map((kind) => {
        const height = Math.max(3, bar[kind] * unit);
        top -= height;
        return (
          <rect class={kind} x={x + 1.5} y={top + 1} width={Math.max(2, width - 3)} height={height - 1} />
        );
      })}
    </g>
  );
}

function gather(days: readonly TimelineDay[], first: number, width: number): Bar[] {
  const bars = new Map<number, Bar>();
  for (const day of days) {
    const from = Math.floor(Math.round((Date.parse(day.day) - first) / DAY) / width);
    bars.set(from, add(bars.get(from) ?? empty(from), day));
  }
  return [...bars.values()];
}

const ofKinds = (count: (kind: (typeof KINDS)[number]) => number): Fates =>
  Object.fromEntries(KINDS.map((kind) => [kind, count(kind)])) as Fates;
const empty = (from: number): Bar => ({ from, ...ofKinds(() => 0) });
const add = ({ from, ...bar }: Bar, day: Fates): Bar => ({
  from,
  ...ofKinds((kind) => bar[kind] + day[kind]),
});
const total = (bar: Fates): number => KINDS.reduce((sum, kind) => sum + bar[kind], 0);
