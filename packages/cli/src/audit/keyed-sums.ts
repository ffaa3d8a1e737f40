import { hash as digest, randomBytes } from 'node:crypto';

const MASK = (1n << 128n) - 1n;

/** A set of hashes as one number, the sum of keyed hashes. Two sets with the same sum need the key. */
export class KeyedSums {
  readonly key: string;

  constructor(key = randomBytes(32).toString('hex')) {
    this.key = key;
  }

  add(sum: bigint, kind: 0 | 1, hash: string): bigint {
    const value = digest('sha256', `${this.key}${kind}${hash}`, 'hex');
    return (sum + BigInt(`0x${value.slice(0, 32)}`)) & MASK;
  }
}
