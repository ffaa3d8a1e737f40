import { parseDateTime } from '../date-time.ts';
import { isHex, isUuid } from '../hex.ts';
import { checkedWords, ConventionError, firstLine, partsBehind } from './plain-text.ts';

export const HUB_TAG = 'svc-hub:v1';

/** A file that a model submitted to a round of a forecast hub. */
export interface HubWords {
  kind: 'hub';
  /** `<owner>/<name>` of the hub's repository, or its name */
  hub: string;
  round: string;
  model: string;
  /** SHA-256 of the salt and the file, in hex */
  file: string;
  /** first second of the submission window, UTC */
  opens: string;
  /** last second of the submission window, UTC */
  closes: string;
  /** etch of the earlier file for the same round */
  prev: string | null;
  note: string;
}

type Named = 'hub' | 'round' | 'model' | 'file' | 'opens' | 'closes';

const isSecond = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && parseDateTime(text) !== null;

const PARTS: readonly [Named, (value: string) => boolean, string][] = [
  ['hub', (value) => /^[A-Za-z0-9._/-]{1,100}$/.test(value), 'at most 100 letters, digits and . _ / -'],
  ['round', (value) => /^[A-Za-z0-9_-]{1,64}$/.test(value), 'at most 64 letters, digits, _ and -'],
  [
    'model',
    (value) => /^(?=.{1,100}$)[A-Za-z0-9_]+-[A-Za-z0-9_]+$/.test(value),
    '<team>-<model>: letters, digits and _ around one hyphen, at most 100',
  ],
  ['file', (value) => isHex(value, 32), '64 lower-case hex digits'],
  ['opens', isSecond, 'a time such as 2026-01-31T05:00:00Z'],
  ['closes', isSecond, 'a time such as 2026-01-31T05:00:00Z'],
];

/**
 * docs/conventions.md#forecast-hubs
 * @throws {ConventionError} on a malformed part
 * @example
 * const window = { opens: '2026-01-01T00:00:00Z', closes: '2026-01-03T23:59:59Z' };
 * const words = { hub: 'org/flu', round: '2026-01-03', model: 'weir-ar', file: 'ab'.repeat(32), ...window };
 * hubWords({ ...words, prev: null }).split(' ')[1]; // 'hub=org/flu'
 */
export function hubWords(words: Omit<HubWords, 'kind' | 'note'>): string {
  const parts = PARTS.map(([name]) => `${name}=${words[name]}`);
  return checkedWords(
    parseHub,
    [HUB_TAG, ...parts, ...(words.prev === null ? [] : [`prev=${words.prev}`])].join(' '),
  );
}

/**
 * @throws {ConventionError} when the words do not follow the convention
 * @example
 * const named = 'hub=org/flu round=2026-01-03 model=weir-ar';
 * const window = 'opens=2026-01-01T00:00:00Z closes=2026-01-03T23:59:59Z';
 * parseHub(`svc-hub:v1 ${named} file=${'ab'.repeat(32)} ${window}`).round; // '2026-01-03'
 */
export function parseHub(content: string): HubWords {
  const { line, rest: note } = firstLine(content);
  const parts = partsBehind(HUB_TAG, line);
  const values = {} as Record<Named, string>;
  for (const [at, [name, isValid, accepted]] of PARTS.entries()) {
    const part = parts[at] ?? '';
    values[name] = part.slice(name.length + 1);
    if (!part.startsWith(`${name}=`) || !isValid(values[name]))
      throw new ConventionError(`part ${at + 1} after ${HUB_TAG} is ${name}=<${accepted}>`);
  }
  if (values.opens > values.closes) throw new ConventionError('opens= is after closes=');
  const [last, ...more] = parts.slice(PARTS.length);
  const prev = last === undefined ? null : /^prev=(.*)$/.exec(last)?.[1];
  if ((prev !== null && !isUuid(prev)) || more.length > 0)
    throw new ConventionError('prev= takes the id of the etch of the earlier file, in lower case');
  return { kind: 'hub', ...values, prev, note };
}

/**
 * Whether a time is in the submission window, whose first and last second count.
 * @param time RFC 3339
 * @returns with the seconds before the window, or after it
 * @example
 * hubTime({ opens: '2026-01-01T00:00:00Z', closes: '2026-01-03T23:59:59Z' }, '2026-01-04T00:01:00Z');
 * // { state: 'late', seconds: 61 }
 */
export function hubTime(
  { opens, closes }: Pick<HubWords, 'opens' | 'closes'>,
  time: string,
): { state: 'on_time' | 'early' | 'late'; seconds: number } {
  const at = Math.floor(Date.parse(time) / 1000);
  const [before, after] = [Date.parse(opens) / 1000 - at, at - Date.parse(closes) / 1000];
  const state = before > 0 ? 'early' : after > 0 ? 'late' : 'on_time';
  return { state, seconds: Math.max(before, after, 0) };
}

/**
 * The two largest units of a time against a window.
 * @param seconds not negative
 * @example
 * durationWords(277_201); // '3 d 5 h'
 */
export function durationWords(seconds: number): string {
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  const parts = { d: Math.floor(hours / 24), h: hours % 24, min: minutes % 60, s: seconds % 60 };
  const shown = Object.entries(parts).filter(([, amount]) => amount > 0);
  return (
    shown
      .slice(0, 2)
      .map(([unit, amount]) => `${amount} ${unit}`)
      .join(' ') || '0 s'
  );
}
