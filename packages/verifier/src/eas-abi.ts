import type { OnchainAttestation } from './chain-reader.ts';

export interface DecodedAttestation extends OnchainAttestation {
  revocable: boolean;
}

/** `getAttestation(bytes32)` */
const SELECTOR = '0xa3112a64';
const BYTES32 = /^0x[0-9a-f]{64}$/;

/**
 * The calldata of `getAttestation(uid)`.
 * @example
 * encodeGetAttestation(`0x${'ab'.repeat(32)}`).slice(0, 12); // '0xa3112a64ab'
 */
export function encodeGetAttestation(uid: string): string {
  if (!BYTES32.test(uid)) throw new TypeError('uid is not 32 bytes in hex');
  return SELECTOR + uid.slice(2);
}

/**
 * One dynamic tuple of ten fields (docs/protocol.md).
 * @returns null for all zeros: the uid is unknown
 * @throws {RangeError} on anything that the contract cannot return
 * @example
 * decodeAttestation(`0x${'20'.padStart(64, '0')}${'0'.repeat(9 * 64)}${'140'.padStart(64, '0')}${'0'.repeat(64)}`); // null
 */
export function decodeAttestation(answer: unknown): DecodedAttestation | null {
  if (typeof answer !== 'string' || !/^0x(?:[0-9a-fA-F]{64})+$/.test(answer)) throw garbage();
  const words = answer.slice(2).toLowerCase().match(/.{64}/g)!;
  const word = (index: number): string => {
    const found = words[index];
    if (found === undefined) throw garbage();
    return found;
  };
  const number = (index: number): number => {
    const value = Number(`0x${word(index)}`);
    if (!Number.isSafeInteger(value)) throw garbage();
    return value;
  };
  const address = (index: number): string => {
    if (!/^0{24}/.test(word(index))) throw garbage();
    return `0x${word(index).slice(24)}`;
  };
  const length = number(11);
  const data = words.slice(12).join('');
  const padded = Math.ceil(length / 32) * 64;
  if (number(0) !== 0x20 || number(10) !== 0x140 || data.length !== padded) throw garbage();
  if (number(9) > 1 || /[^0]/.test(data.slice(length * 2))) throw garbage();
  number(4); // expiration
  address(7); // recipient
  const uid = `0x${word(1)}`;
  if (/^0x0*$/.test(uid)) return null;
  return {
    uid,
    schema: `0x${word(2)}`,
    attester: address(8),
    time: number(3),
    revocationTime: number(5),
    revocable: number(9) === 1,
    data: `0x${data.slice(0, length * 2)}`,
  };
}

const garbage = () => new RangeError('the answer is not an attestation');
