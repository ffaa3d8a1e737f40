import type { AccountCounts } from '@svc/contract';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

export function dayText(time: string): string {
  const [year, month, day] = time.slice(0, 10).split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${Number(year)}`;
}

/** `14 March 2026 UTC` */
export const utcDayText = (time: string): string => `${dayText(time)} UTC`;

/** `14 March 2026, 09:26 UTC`; seconds if the time is a proof. */
export function timeText(time: string, precision: 'minutes' | 'seconds' | 'exact' = 'minutes'): string {
  const clock = time.slice(11, { minutes: 16, seconds: 19, exact: 23 }[precision]);
  return `${dayText(time)}, ${clock} UTC`;
}

/** A message of the service with its times as readers write them. */
export const withReadableTimes = (message: string): string =>
  message.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => timeText(time, 'seconds'));

const UNITS = [
  { name: 'day', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
] as const;

/** `40 s`, `3 min`, `2 h 5 min`, `12 days` */
export function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds === 0) return 'less than a second';
  const at = UNITS.findIndex((unit) => seconds >= unit.seconds);
  const unit = UNITS[at]!;
  const count = Math.floor(seconds / unit.seconds);
  const next = UNITS[at + 1];
  const rest = next ? Math.floor((seconds % unit.seconds) / next.seconds) : 0;
  const first = part(count, unit.name);
  return next && rest > 0 && count < 10 ? `${first} ${part(rest, next.name)}` : first;
}

const part = (count: number, unit: string): string =>
  `${count} ${unit === 'day' && count !== 1 ? 'days' : unit}`;

export const between = (from: string, to: string): number => Date.parse(to) - Date.parse(from);

export const countText = (
  count: number,
  one: string,
  many = `${one.replace(/([^aeiou])y$/, '$1ie')}${/[sxh]$/.test(one) ? 'es' : 's'}`,
): string => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

type RecordCounts = Pick<
  AccountCounts,
  'total' | 'revealed' | 'sealed_pending_reveal' | 'retracted' | 'taken_down'
>;

/** `3 etches: 2 public, 1 taken down by the operator`: the parts add up to the total. */
export function recordText({
  total,
  revealed,
  sealed_pending_reveal: sealed,
  retracted,
  taken_down = 0,
}: RecordCounts): string {
  const parts = [
    [revealed, 'public'],
    [sealed, 'sealed'],
    [retracted, 'retracted'],
    [taken_down, 'taken down by the operator'],
  ] as const;
  const words = parts.flatMap(([count, word]) =>
    count > 0 ? [`${count.toLocaleString('en')} ${word}`] : [],
  );
  return [countText(total, 'etch'), words.join(', ')].filter(Boolean).join(': ');
}

const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const rules = new Intl.PluralRules('en', { type: 'ordinal' });

/** 1st, 2nd, 3rd, 11th. */
export const ordinal = (place: number): string =>
  `${place.toLocaleString('en')}${ENDINGS[rules.select(place)]}`;

export function safeUrl(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  return /^https?:$/.test(new URL(url).protocol) ? url : null;
}

type Values = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

export function withQuery(path: string, values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    return text === '' ? [] : [`${name}=${encodeURIComponent(text).replaceAll('%2C', ',')}`];
  });
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

export const installLine = (baseUrl: string): string => `npm install ${baseUrl}/install/svc-cli.tgz`;
