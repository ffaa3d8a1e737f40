import { isTime } from '@svc/protocol';

export const UTC_TIME = 0x17;
export const GENERALIZED_TIME = 0x18;

const FORMS: Readonly<Record<number, RegExp>> = {
  [UTC_TIME]: /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)()Z$/,
  [GENERALIZED_TIME]: /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z$/,
};

/**
 * In milliseconds since 1970, cut; null unless it is the time in its only form in DER (X.690, 11.7 and 11.8),
 * which names no time zone but Z.
 */
export function readDerTime(tag: number, content: Uint8Array): number | null {
  const text = String.fromCharCode(...content.subarray(0, 64));
  const found = content.length <= 64 ? FORMS[tag]?.exec(text) : null;
  if (found == null) return null;
  const [, year = '', month, day, hour, minute, second, fraction = ''] = found;
  const century = tag === GENERALIZED_TIME ? '' : Number(year) < 50 ? '20' : '19';
  const time = `${century}${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
  return isTime(time) ? Date.parse(time) : null;
}
