import { fromBER, OctetString, type Sequence } from 'asn1js';
import { DIGESTS, SHA_256 } from './object-ids.ts';
import { malformed } from './timestamp-error.ts';

export interface NamedCertificate {
  digestName: string;
  hash: Uint8Array;
}

/**
 * The first certificate in the attribute's list (RFC 5035).
 * @throws {TimestampError}
 */
export function readNamedCertificate(
  attribute: BufferSource,
  { newer }: { newer: boolean },
): NamedCertificate {
  const certificates = itemsOf(fromBER(attribute).result)[0];
  const [first, second] = itemsOf(itemsOf(certificates)[0]);
  // The older attribute uses SHA-1; the newer one defaults to SHA-256.
  if (!newer) return { digestName: 'SHA-1', hash: bytesOf(first) };
  if (first instanceof OctetString) return { digestName: DIGESTS[SHA_256]!.name, hash: bytesOf(first) };
  const algorithm = itemsOf(first)[0] as { valueBlock: { toString(): string } } | undefined;
  const digestName = DIGESTS[algorithm?.valueBlock.toString() ?? '']?.name;
  if (digestName === undefined)
    throw malformed('its signature names its certificate by a digest that is not taken');
  return { digestName, hash: bytesOf(second) };
}

/** The library also parses octet strings that happen to be ASN.1. */
const itemsOf = (value: unknown): unknown[] => {
  const items = (value as Sequence | undefined)?.valueBlock?.value as unknown;
  return Array.isArray(items) ? items : [];
};

function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof OctetString)) throw malformed('its signature does not name its certificate');
  return value.valueBlock.valueHexView;
}
