import { bls12_381 as bls } from '@noble/curves/bls12-381.js';
import { hexToBytes, isHex } from '../hex.ts';
import type { DrandChain } from './drand-chain.ts';
import { readG1, readG2, roundPoint } from './points.ts';

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
    { g1: point, g2: bls.G2.Point.BASE },
    { g1: roundPoint(round).negate(), g2: key },
  ]);
  return bls.fields.Fp12.eql(product, bls.fields.Fp12.ONE);
}
