import { bytesToHex } from '@svc/protocol';
import { keccak256 } from '@svc/protocol/keccak';
import { asBytes, asList, asNumber, decodeRlp, EvidenceError } from './rlp.ts';
import type { Rlp } from './rlp.ts';

export interface Header {
  /** with `0x` */
  hash: string;
  receiptsRoot: Uint8Array;
  number: number;
  /** seconds since 1970 */
  time: number;
}

/**
 * Chains may add further items.
 * @throws {EvidenceError}
 */
export function readHeader(rlp: Uint8Array): Header {
  const items = asList(decodeRlp(rlp), 12);
  return {
    hash: `0x${bytesToHex(keccak256(rlp))}`,
    receiptsRoot: asBytes(items[5], 32),
    number: asNumber(items[8]),
    time: asNumber(items[11]),
  };
}

export interface Log {
  /** with `0x` */
  address: string;
  /** with `0x` */
  topics: string[];
  data: Uint8Array;
}

/**
 * A type byte may precede the list.
 * @param position among the logs of this receipt
 * @throws {EvidenceError}
 */
export function readLog(receipt: Uint8Array, position: number): Log {
  const items = asList(decodeRlp(receipt[0]! < 0x80 ? receipt.subarray(1) : receipt), 4);
  const status = asBytes(items[0]);
  if (status.length !== 1 || status[0] !== 1) throw new EvidenceError('its transaction failed');
  const log = asList(items[3], 0)[position];
  if (log === undefined) throw new EvidenceError('its transaction has no such log');
  const [address, topics, data] = asList(log, 3);
  return {
    address: `0x${bytesToHex(asBytes(address, 20))}`,
    topics: asList(topics, 0).map((topic: Rlp) => `0x${bytesToHex(asBytes(topic, 32))}`),
    data: asBytes(data),
  };
}
