import { bls12_381 as bls } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { bytesToHex, hexToBytes } from '../hex.ts';
import { KEY_BYTES, POINT_BYTES as POINT, WRAPPED_BYTES } from './age-header.ts';
import { readG1, readG2, roundPoint } from './points.ts';
import { TimelockError } from './drand-chain.ts';

// Boneh-Franklin encryption to a round, with the Fujisaki-Okamoto transform, as in drand's tools. The chain's
// signature of the round is the secret key.

const { G1, G2 } = bls;
type Fp12 = ReturnType<typeof bls.pairing>;

/** @param sigma random, as long as the key */
export function wrapKey(publicKey: string, round: number, key: Uint8Array, sigma: Uint8Array): Uint8Array {
  const chainKey = readG2(hexToBytes(publicKey));
  if (chainKey === null) throw new TimelockError("the chain's public key is none");
  const r = scalarOf(sigma, key);
  const shared = bls.pairing(roundPoint(round).multiply(r), chainKey);
  const u = G2.Point.BASE.multiply(r).toBytes();
  return concatBytes(u, xor(sigma, hashOfGt(shared)), xor(key, hashOfSigma(sigma)));
}

/** @throws {TimelockError} when the beacon does not decrypt it */
export function unwrapKey(signature: string, wrapped: Uint8Array): Uint8Array {
  const beacon = readG1(hexToBytes(signature));
  const u = readG2(wrapped.slice(0, POINT));
  if (beacon === null || u === null || wrapped.length !== WRAPPED_BYTES)
    throw new TimelockError('the encrypted key or the signature is no point of its group');
  const sigma = xor(wrapped.slice(POINT, POINT + KEY_BYTES), hashOfGt(bls.pairing(beacon, u)));
  const key = xor(wrapped.slice(POINT + KEY_BYTES), hashOfSigma(sigma));
  if (!G2.Point.BASE.multiply(scalarOf(sigma, key)).equals(u))
    throw new TimelockError('it was not encrypted to this round of this chain');
  return key;
}

const xor = (a: Uint8Array, b: Uint8Array): Uint8Array => a.map((byte, at) => byte ^ b[at]!);
const hash = (tag: string, ...parts: Uint8Array[]): Uint8Array =>
  sha256(concatBytes(utf8ToBytes(tag), ...parts));
const hashOfSigma = (sigma: Uint8Array): Uint8Array => hash('IBE-H4', sigma).slice(0, KEY_BYTES);
const hashOfGt = (gt: Fp12): Uint8Array => hash('IBE-H2', gtBytes(gt)).slice(0, KEY_BYTES);

/**
 * Hashes again, with a counter in front (two bytes, little-endian), until the value is below the group order.
 */
function scalarOf(sigma: Uint8Array, key: Uint8Array): bigint {
  const first = hash('IBE-H3', sigma, key);
  for (let count = 1; count < 0xffff; count++) {
    const digest = sha256(concatBytes(Uint8Array.of(count & 0xff, count >> 8), first));
    digest[0]! >>= 1;
    const scalar = BigInt(`0x${bytesToHex(digest)}`);
    if (scalar > 0n && scalar < G1.Point.Fn.ORDER) return scalar;
  }
  throw new TimelockError('no scalar can be made of it');
}

/** The twelve coefficients, 48 bytes each, highest first. */
function gtBytes({ c0, c1 }: Fp12): Uint8Array {
  const parts = [c1, c0].flatMap((half) => [half.c2, half.c1, half.c0]).flatMap((pair) => [pair.c1, pair.c0]);
  return concatBytes(...parts.map(numberBytes));
}

const numberBytes = (value: bigint): Uint8Array => hexToBytes(value.toString(16).padStart(96, '0'));
