import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { bytesToHex, hexToBytes, isHex } from '../hex.ts';

export class TimelockError extends Error {
  override name = 'TimelockError';
}

export const DRAND_SCHEME = 'bls-unchained-g1-rfc9380';

export interface DrandChain {
  /** 32 bytes in lower-case hex; fixes the other fields */
  hash: string;
  /** 96 bytes in hex */
  publicKey: string;
  /** time of round 1, seconds since 1970 */
  genesis: number;
  /** seconds */
  period: number;
}

export const QUICKNET: DrandChain = Object.freeze({
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesis: 1_692_803_367,
  period: 3,
});

/**
 * The first round at or after a time in milliseconds since 1970.
 * @example
 * roundAt(QUICKNET, Date.parse('2023-08-23T15:09:27.000Z')); // 1
 * roundAt(QUICKNET, Date.parse('2023-08-23T15:09:27.001Z')); // 2
 */
export const roundAt = ({ genesis, period }: DrandChain, time: number): number =>
  Math.max(0, Math.ceil((time - genesis * 1000) / (period * 1000))) + 1;

/**
 * In milliseconds since 1970.
 * @example
 * new Date(roundTime(QUICKNET, 2)).toISOString(); // '2023-08-23T15:09:30.000Z'
 */
export const roundTime = ({ genesis, period }: DrandChain, round: number): number =>
  (genesis + (round - 1) * period) * 1000;

/** Ten digits. */
const MOST_ROUNDS = 9_999_999_999;

/**
 * True for a whole number from 1 to 9,999,999,999.
 * @example
 * isRound(0); // false
 */
export const isRound = (value: unknown): value is number => isWhole(value, 1, MOST_ROUNDS);

/**
 * Parses drand's `/<chain hash>/info` and checks its hash. A caller who trusts the hash need not trust the
 * source.
 * @throws {TimelockError}
 * @example
 * const { publicKey: public_key, genesis: genesis_time, hash } = QUICKNET;
 * const groupHash = 'f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e';
 * const metadata = { beaconID: 'quicknet' };
 * parseChainInfo({ public_key, period: 3, genesis_time, hash, groupHash, schemeID: DRAND_SCHEME, metadata }); // QUICKNET
 */
export function parseChainInfo(value: unknown): DrandChain {
  if (typeof value !== 'object' || value === null) throw new TimelockError('the chain is not an object');
  const info = value as Record<string, unknown>;
  const { public_key: publicKey, period, genesis_time: genesis, hash, groupHash, schemeID } = info;
  const beacon = (info['metadata'] as { beaconID?: unknown } | undefined | null)?.beaconID ?? 'default';
  if (schemeID !== DRAND_SCHEME) throw new TimelockError(`schemeID is not ${DRAND_SCHEME}`);
  if (!isHex(publicKey, 96)) throw new TimelockError('public_key is not 192 lower-case hex digits');
  if (!isHex(hash, 32) || !isHex(groupHash, 32))
    throw new TimelockError('hash or groupHash is not 64 lower-case hex digits');
  if (!isWhole(period, 1, 86_400)) throw new TimelockError('period is not a number of seconds');
  if (!isWhole(genesis, 1, 253_402_300_799)) throw new TimelockError('genesis_time is not a time in seconds');
  if (typeof beacon !== 'string') throw new TimelockError('metadata.beaconID is not a string');
  const parts = [
    bigEndian(period, 4),
    bigEndian(genesis, 8),
    hexToBytes(publicKey),
    hexToBytes(groupHash),
    beacon === 'default' || beacon === '' ? new Uint8Array() : utf8ToBytes(beacon),
  ];
  if (bytesToHex(sha256(concatBytes(...parts))) !== hash)
    throw new TimelockError('hash is not the hash of the rest: this is a different chain');
  return { hash, publicKey, genesis, period };
}

const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

export function bigEndian(value: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = length - 1, rest = value; at >= 0; at--, rest = Math.floor(rest / 256))
    bytes[at] = rest % 256;
  return bytes;
}
