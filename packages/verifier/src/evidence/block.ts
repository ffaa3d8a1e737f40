import { bytesToHex } from '@svc/protocol';
import { keccak256 } from '@svc/protocol/keccak';
import { asBytes, asList, asNumber, decodeRlp, EvidenceError } from './rlp.ts';
import type { Rlp } from './rlp.ts';

export interface Header {
  /** 0x and 64 digits */
  hash: string;
  receiptsRoot: Uint8Array;
  number: number;
  /** seconds */
  time: number;
}

/**
 * A block's header, by its RLP: items 5, 8 and 11 are read (counted from 0), others of any chain are allowed.
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
  /** 0x and 40 digits */
  address: string;
  /** 0x and 64 digits each */
  topics: string[];
  data: Uint8Array;
}

/**
 * One log of a transaction's receipt as the trie holds it: of any type (a byte before the list), successful.
 * @param position of the log among those of this receipt
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
