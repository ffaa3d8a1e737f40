import { bls12_381 as bls } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bigEndian } from './drand-chain.ts';

const { G1, G2 } = bls;
type G1Point = typeof G1.Point.BASE;
type G2Point = typeof G2.Point.BASE;

const DST = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_';

export const roundPoint = (round: number): G1Point =>
  G1.Point.fromAffine(G1.hashToCurve(sha256(bigEndian(round, 8)), { DST }).toAffine());

/** 48 bytes of a nonzero point, or null. */
export const readG1 = (bytes: Uint8Array): G1Point | null => valid(() => G1.Point.fromBytes(bytes));
/** 96 bytes of a nonzero point, or null. */
export const readG2 = (bytes: Uint8Array): G2Point | null => valid(() => G2.Point.fromBytes(bytes));

function valid<T extends G1Point | G2Point>(read: () => T): T | null {
  try {
    const point = read();
    point.assertValidity();
    return point.is0() ? null : point;
  } catch {
    return null;
  }
}
