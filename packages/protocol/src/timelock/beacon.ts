import { bls12_381 as bls } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes, isHex } from '../hex.ts';
import { bigEndian, type DrandChain } from './drand-chain.ts';

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

/**
 * The chain's signature of the round, which decrypts what was encrypted to the round.
 * @param signature 48 bytes in lower-case hex
 * @example
 * const signature =
 *   'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39';
 * isBeacon(QUICKNET, 1000, signature); // true
 * isBeacon(QUICKNET, 1001, signature); // false
 */
export function isBeacon({ publicKey }: DrandChain, round: number, signature: unknown): signature is string {
  if (!isHex(signature, 48)) return false;
  const point = readG1(hexToBytes(signature));
  const key = readG2(hexToBytes(publicKey));
  if (point === null || key === null) return false;
  const product = bls.pairingBatch([
    { g1: point, g2: G2.Point.BASE },
    { g1: roundPoint(round).negate(), g2: key },
  ]);
  return bls.fields.Fp12.eql(product, bls.fields.Fp12.ONE);
}
