import { hexToBytes } from '@svc/protocol';
import type { Sequence } from 'asn1js';

interface Encodable {
  toSchema(): { toBER(sizeOnly?: boolean): ArrayBuffer };
}

export const derOf = (value: Encodable): Uint8Array<ArrayBuffer> => new Uint8Array(value.toSchema().toBER());

export const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

export const copyOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);

export const unhex = (hex: string): Uint8Array<ArrayBuffer> => copyOf(hexToBytes(hex.replace(/^0x/, '')));

export async function digest(name: string, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest(name, copyOf(bytes)));
}

/** The library also parses octet strings that happen to be ASN.1. */
export const itemsOf = (value: unknown): unknown[] => {
  const items = (value as Sequence | undefined)?.valueBlock?.value as unknown;
  return Array.isArray(items) ? items : [];
};
