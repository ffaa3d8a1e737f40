import { GENERALIZED_TIME, readDerTime } from './der-time.ts';
import { BOOLEAN, type DerItem, INTEGER, isInteger, itemsOfDer, SEQUENCE } from './der.ts';
import { malformed } from './timestamp-error.ts';

/** Version, policy, imprint, serial number, time, accuracy, ordering, nonce, authority, extensions. */
const FIELDS = /^2 6 48 2 24( 48)?( 1)?( 2)?( 160)?( 161)?$/;
/** Seconds, milliseconds, microseconds, in this order. */
const UNITS: Readonly<Record<number, { milliseconds: number; most: number }>> = {
  [INTEGER]: { milliseconds: 1000, most: 2 ** 31 - 1 },
  0x80: { milliseconds: 1, most: 999 },
  0x81: { milliseconds: 0.001, most: 999 },
};

/**
 * Fields that the ASN.1 reader accepts in more than one form (RFC 3161, section 2.4.2).
 * @param info the bytes of TSTInfo
 * @throws {TimestampError}
 */
export function readStampFields(info: Uint8Array): { time: number; accuracy: number } {
  const fields = itemsOfDer(info);
  if (!FIELDS.test(tagsOf(fields))) throw malformed('its fields are not the fields of a time stamp');
  const rest = fields.slice(5);
  const isDefault = ({ tag, content }: DerItem) => tag === BOOLEAN && content[0] === 0;
  const extensions = rest.filter(({ tag }) => tag === 0xa1).flatMap(({ whole }) => itemsOfDer(whole));
  if (rest.some(isDefault) || extensions.some(({ whole }) => itemsOfDer(whole).some(isDefault)))
    throw malformed('it names a default value, which DER omits');
  const time = readDerTime(GENERALIZED_TIME, fields[4]!.content);
  if (time === null) throw malformed('it has no time');
  const accuracy = rest.find(({ tag }) => tag === SEQUENCE);
  return { time, accuracy: accuracy === undefined ? 0 : readAccuracy(itemsOfDer(accuracy.whole)) };
}

const tagsOf = (items: readonly DerItem[]): string => items.map(({ tag }) => tag).join(' ');

function readAccuracy(parts: readonly DerItem[]): number {
  let sum = 0;
  for (const { tag, content } of parts) {
    const unit = UNITS[tag];
    const value = content.reduce((total, byte) => total * 256 + byte, 0);
    const least = tag === INTEGER ? 0 : 1;
    const isPositive = isInteger(content) && content[0]! < 0x80 && content.length <= 5;
    if (unit === undefined || !isPositive || value < least || value > unit.most)
      throw malformed('its accuracy is not a number of seconds, milliseconds and microseconds');
    sum += value * unit.milliseconds;
  }
  if (parts.some(({ tag }, at) => at > 0 && tag <= parts[at - 1]!.tag))
    throw malformed('its accuracy is not in the order of its parts');
  return sum;
}
