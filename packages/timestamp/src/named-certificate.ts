import { fromBER, OctetString, type Sequence } from 'asn1js';
import { DIGESTS, SHA_256 } from './object-ids.ts';
import { malformed } from './timestamp-error.ts';

export interface NamedCertificate {
  digestName: string;
  hash: Uint8Array;
}

/**
 * Which certificate a signature names (RFC 5035): the first of the attribute's list.
 * @throws {TimestampError}
 */
export function readNamedCertificate(
  attribute: BufferSource,
  { newer }: { newer: boolean },
): NamedCertificate {
  const certificates = itemsOf(fromBER(attribute).result)[0];
  const [first, second] = itemsOf(itemsOf(certificates)[0]);
  // The older one is SHA-1 by its name; the digest of a newer one is SHA-256 unless it says otherwise.
  if (!newer) return { digestName: 'SHA-1', hash: bytesOf(first) };
  if (first instanceof OctetString) return { digestName: DIGESTS[SHA_256]!.name, hash: bytesOf(first) };
  const algorithm = itemsOf(first)[0] as { valueBlock: { toString(): string } } | undefined;
  const digestName = DIGESTS[algorithm?.valueBlock.toString() ?? '']?.name;
  if (digestName === undefined)
    throw malformed('its signature names its certificate by a digest that is not taken');
  return { digestName, hash: bytesOf(second) };
}

/** Of an octet string too there may be some: the library looks whether its bytes happen to be ASN.1. */
const itemsOf = (value: unknown): unknown[] => {
  const items = (value as Sequence | undefined)?.valueBlock?.value as unknown;
  return Array.isArray(items) ? items : [];
};

function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof OctetString)) throw malformed('its signature does not name its certificate');
  return value.valueBlock.valueHexView;
}
