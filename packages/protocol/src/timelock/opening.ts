import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { verifySignature } from '../ed25519.ts';
import { bytesToHex, isHex, isUuid } from '../hex.ts';
import { isRound, TimelockError } from './drand-chain.ts';

/** Never changes (docs/specification.md#versioning). */
export const OPENING_TAG = 'svc-opening:v1';

/** Explains the file to a reader without context. */
export const OPENING_NOTE =
  'The words of a sealed etch, encrypted to a round of a drand chain: from that round on anybody who has this file can open it, without the service that made it. It outlives a retraction. Nobody can test it before that round; if it then holds something else, its signature proves who made it.';

/** `GET /etches/{id}/opening` (docs/protocol.md#411-openings). */
export interface Opening {
  _format: typeof OPENING_TAG;
  _what_this_is: typeof OPENING_NOTE;
  etch_id: string;
  hash: string;
  chain_hash: string;
  round: number;
  /** an armored age file */
  ciphertext: string;
  /** a promise key of the service */
  public_key: string;
  signature: string;
}

export type OpeningParts = Pick<Opening, 'etch_id' | 'hash' | 'chain_hash' | 'round' | 'ciphertext'>;

/**
 * `svc-opening:v1|<etch id>|<hash>|<chain hash>|<round>|<sha256 of the ciphertext's text>`
 * (docs/protocol.md#411-openings).
 * @example
 * openingText(opening).startsWith(`svc-opening:v1|${opening.etch_id}|`); // true
 */
export const openingText = ({ etch_id, hash, chain_hash, round, ciphertext }: OpeningParts): string =>
  [OPENING_TAG, etch_id, hash, chain_hash, round, bytesToHex(sha256(utf8ToBytes(ciphertext)))].join('|');

const FIELDS: Record<keyof Opening, (value: unknown) => boolean> = {
  _format: (value) => value === OPENING_TAG,
  _what_this_is: (value) => value === OPENING_NOTE,
  etch_id: isUuid,
  hash: (value) => isHex(value, 32),
  chain_hash: (value) => isHex(value, 32),
  round: isRound,
  ciphertext: (value) => typeof value === 'string',
  public_key: (value) => isHex(value, 32),
  signature: (value) => isHex(value, 64),
};

/**
 * @throws {TimelockError} on anything malformed, and on unknown fields, which the signature does not cover
 * @example
 * parseOpening(opening).round; // opening.round
 */
export function parseOpening(value: unknown): Opening {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TimelockError('the opening is not an object');
  const given = value as Record<string, unknown>;
  for (const [name, isGood] of Object.entries(FIELDS))
    if (!isGood(given[name])) throw new TimelockError(`${name} is missing or has the wrong form`);
  const stray = Object.keys(given).find((name) => !Object.hasOwn(FIELDS, name));
  if (stray !== undefined) throw new TimelockError('there is a field that no opening has');
  return value as Opening;
}

/**
 * The caller decides whether to trust the opening's key.
 * @example
 * isOpeningSigned(opening); // true
 * isOpeningSigned({ ...opening, round: opening.round + 1 }); // false
 */
export const isOpeningSigned = (opening: Opening): boolean =>
  verifySignature({
    publicKey: opening.public_key,
    message: openingText(opening),
    signature: opening.signature,
  });
