import { padBlind, unpadBlind } from './blind.ts';
import type { BlindSeal } from './blind-words.ts';
import { blindWords } from './blind-words.ts';
import type { DrandChain } from './drand-chain.ts';
import { timelockDecrypt, timelockEncrypt } from './timelock.ts';

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
