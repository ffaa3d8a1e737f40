// Converts between `bytea` columns and `0x` hex.
import { hexToBytes } from '@svc/protocol';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Hex } from '../../chain/port.ts';

export const toHex = (bytes: Uint8Array): Hex =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;

export const fromHex = (hex: Hex): Buffer => Buffer.from(hexToBytes(hex.slice(2)));

/** A `bytea` column as `0x` hex. */
export const hex = (column: string): Sql => sql`'0x' || encode(${raw(column)}, 'hex')`;
