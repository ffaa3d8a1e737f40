import { hash as digest, randomBytes } from 'node:crypto';

const MASK = (1n << 128n) - 1n;

/**
 * Represents a set of hashes as one number, so that millions need no memory: each is hashed with a secret key, and the results are added.
 * Without the key, an attacker cannot make two different sets with the same sum.
 */
export class KeyedSums {
  /** hex; store it with the sums */
  readonly key: string;

  constructor(key = randomBytes(32).toString('hex')) {
    this.key = key;
  }

  add(sum: bigint, kind: 0 | 1, hash: string): bigint {
    const value = digest('sha256', `${this.key}${kind}${hash}`, 'hex');
    return (sum + BigInt(`0x${value.slice(0, 32)}`)) & MASK;
  }
}
