import { type BlindSeal, blindWords } from './blind-words.ts';
import { padBlind, unpadBlind } from './blind.ts';
import { isBeacon } from './beacon.ts';
import { openAge, writeAge } from './age-file.ts';
import { KEY_BYTES, readAge } from './age-header.ts';
import type { DrandChain } from './drand-chain.ts';
import { unwrapKey, wrapKey } from './ibe.ts';
import { TimelockError } from './drand-chain.ts';

export const RANDOM_BYTES = 3 * KEY_BYTES;

/**
 * @param random 48 secret random bytes, used once
 * @returns a binary age file
 * @example
 * const file = timelockEncrypt(QUICKNET, 1000, new Uint8Array([1, 2]), crypto.getRandomValues(new Uint8Array(48)));
 * timelockRound(file).round; // 1000
 */
export function timelockEncrypt(
  { hash: chainHash, publicKey }: DrandChain,
  round: number,
  plaintext: Uint8Array,
  random: Uint8Array,
): Uint8Array {
  if (random.length !== RANDOM_BYTES) throw new RangeError(`not ${RANDOM_BYTES} random bytes`);
  const [fileKey, sigma, nonce] = [0, 1, 2].map((at) => random.slice(at * KEY_BYTES, (at + 1) * KEY_BYTES));
  const wrapped = wrapKey(publicKey, round, fileKey!, sigma!);
  return writeAge({ round, chainHash, wrapped }, fileKey!, nonce!, plaintext);
}

/**
 * @throws {TimelockError} when the file is malformed
 * @example
 * timelockRound(timelockEncrypt(QUICKNET, 7, new Uint8Array(), new Uint8Array(48))).round; // 7
 */
export function timelockRound(file: Uint8Array): { round: number; chainHash: string } {
  const { round, chainHash } = readAge(file);
  return { round, chainHash };
}

/**
 * Checks the signature first.
 * @param signature of the round, 48 bytes in lower-case hex
 * @param round must equal the file's round; default: any
 * @throws {BeaconError} when the signature is wrong
 * @throws {TimelockError} when the file does not open
 * @example
 * const signature =
 *   'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39';
 * const file = timelockEncrypt(QUICKNET, 1000, new Uint8Array([1, 2]), new Uint8Array(48));
 * timelockDecrypt(QUICKNET, file, signature); // Uint8Array.of(1, 2)
 */
export function timelockDecrypt(
  chain: DrandChain,
  file: Uint8Array,
  signature: string,
  round?: number,
): Uint8Array {
  // With a valid signature, a later failure is a fault of the file.
  if (round !== undefined) needBeacon(chain, round, signature);
  const age = readAge(file);
  if (age.chainHash !== chain.hash) throw new TimelockError('it is encrypted to a different chain');
  if (round === undefined) needBeacon(chain, age.round, signature);
  else if (age.round !== round) throw new TimelockError(`it is encrypted to round ${age.round}`);
  return openAge(age, unwrapKey(signature, age.wrapped));
}

function needBeacon(chain: DrandChain, round: number, signature: string): void {
  if (!isBeacon(chain, round, signature))
    throw new BeaconError(`this is not the signature of round ${round} by the chain ${chain.hash}`);
}

/** Not the signature of the round. */
export class BeaconError extends Error {
  override name = 'BeaconError';
}

/**
 * No reader, not even the service, can open the words before the round.
 * @param random 48 secret random bytes, used once
 * @throws {TimelockError} when the text is too long, empty or malformed
 * @example
 * sealBlind(QUICKNET, 1000, 'It will rain.', crypto.getRandomValues(new Uint8Array(48))).length; // 1895
 */
export const sealBlind = (chain: DrandChain, round: number, text: string, random: Uint8Array): string =>
  blindWords({
    chain: chain.hash,
    round,
    ciphertext: timelockEncrypt(chain, round, padBlind(text), random),
  });

/**
 * Checks the signature first.
 * @param signature of the round, 48 bytes in lower-case hex
 * @throws {BeaconError} when the signature is wrong
 * @throws {TimelockError} when the seal contains no text
 * @example
 * const signature =
 *   'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39';
 * const words = sealBlind(QUICKNET, 1000, 'It will rain.', new Uint8Array(48));
 * openBlind(QUICKNET, readBlindSeal(words, '2023-08-23T15:10:00.000Z', QUICKNET), signature); // 'It will rain.'
 */
export const openBlind = (
  chain: DrandChain,
  { round, ciphertext }: Pick<BlindSeal, 'round' | 'ciphertext'>,
  signature: string,
): string => unpadBlind(timelockDecrypt(chain, ciphertext, signature, round));
