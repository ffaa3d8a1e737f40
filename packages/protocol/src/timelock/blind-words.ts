import { NONCE_BYTES, readAge, TAG_BYTES } from './age-header.ts';
import { fromPadded, toPadded } from './base64.ts';
import { isBlindSeal, PADDED_BYTES } from './blind.ts';
import { type DrandChain, roundTime, TimelockError } from './drand-chain.ts';

export const BLIND_TAG = 'svc-tlock:v1';

/** docs/protocol.md#412-blind-seals */
export interface BlindSeal {
  /** hash */
  chain: string;
  round: number;
  /** API time */
  due: string;
  /** binary age file */
  ciphertext: Uint8Array;
}

const FORM = /^svc-tlock:v1\|([0-9a-f]{64})\|([1-9]\d{0,9})\|([A-Za-z0-9+/]{4,}={0,2})$/;
/** Nonce, 1,002 bytes, tag. */
const PAYLOAD_BYTES = NONCE_BYTES + PADDED_BYTES + TAG_BYTES;
/** The end of the year 9999, in milliseconds. */
const LAST_TIME = 253_402_300_799_999;

/**
 * Undefined unless the words are a blind seal on this chain whose round was in the future at `createdAt`.
 * @example
 * readBlindSeal('It will rain on Sunday.', '2026-01-02T03:04:05.678Z', QUICKNET); // undefined
 */
export function readBlindSeal(
  content: string | null,
  createdAt: string | null,
  chain: DrandChain | undefined,
): BlindSeal | undefined {
  if (content === null || createdAt === null || chain === undefined) return undefined;
  const form = readForm(content);
  if (form === undefined || !isBlindSeal(form, chain, Date.parse(createdAt))) return undefined;
  const { chainHash, round, ciphertext } = form;
  const due = roundTime(chain, round);
  return due > LAST_TIME
    ? undefined
    : { chain: chainHash, round, due: new Date(due).toISOString(), ciphertext };
}

/**
 * Without the ciphertext of a blind seal of any chain and round.
 * @example
 * withoutCiphertext('It will rain on Sunday.'); // 'It will rain on Sunday.'
 */
export const withoutCiphertext = (content: string): string =>
  readForm(content) === undefined ? content : content.slice(0, content.lastIndexOf('|'));

function readForm(content: string): { chainHash: string; round: number; ciphertext: Uint8Array } | undefined {
  const [, chainHash, number, base64] = FORM.exec(content) ?? [];
  const ciphertext = base64 === undefined ? null : fromPadded(base64);
  if (chainHash === undefined || ciphertext === null) return undefined;
  const round = Number(number);
  return isEncryptedTo(ciphertext, chainHash, round) ? { chainHash, round, ciphertext } : undefined;
}

function isEncryptedTo(file: Uint8Array, chainHash: string, round: number): boolean {
  try {
    const age = readAge(file);
    return age.round === round && age.chainHash === chainHash && age.payload.length === PAYLOAD_BYTES;
  } catch (error) {
    if (error instanceof TimelockError) return false;
    throw error;
  }
}

/**
 * `sealBlind` makes the ciphertext.
 * @example
 * blindWords({ chain: 'ab'.repeat(32), round: 7, ciphertext: Uint8Array.of(1) });
 * // `svc-tlock:v1|${'ab'.repeat(32)}|7|AQ==`
 */
export const blindWords = ({ chain, round, ciphertext }: Omit<BlindSeal, 'due'>): string =>
  [BLIND_TAG, chain, round, toPadded(ciphertext)].join('|');
