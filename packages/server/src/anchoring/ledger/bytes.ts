import { hexToBytes } from '@svc/protocol';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Hex } from '../../chain/port.ts';

export function toHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;
}

export function fromHex(hex: Hex): Buffer {
  return Buffer.from(hexToBytes(hex.slice(2)));
}

/** A `bytea` column as `0x` hex. */
export const hex = (column: string): Sql => sql`'0x' || encode(${raw(column)}, 'hex')`;
