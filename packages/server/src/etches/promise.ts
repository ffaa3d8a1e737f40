import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { EtchPromise } from '@svc/contract/types';
import {
  anchorBy,
  buildTree,
  bytesToHex,
  hashDescription,
  MAX_PROMISE_PATH,
  promiseLeaf,
  promisesText,
  promiseText,
  promiseWords,
} from '@svc/protocol';
import { mapInTimeSlices } from '../flow/time-slices.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { drawRandom } from '../secrets/random.ts';
import { sha256 } from '../secrets/sha256.ts';
import type { EtchRow } from './row.ts';

/** Signed promises that etches are anchored and stay unchanged (docs/protocol.md#410-promises). */
export interface Promises {
  /** public keys in hex, the current one first; every earlier promise verifies under one of them */
  readonly keys: readonly string[];
  sign(text: string): { public_key: string; signature: string };
  /** One promise for each etch, in their order. One signature covers up to 256. Each has a new nonce, which is not stored. */
  give(accepted: readonly Accepted[]): Promise<EtchPromise[]>;
}

interface Accepted {
  etch: Pick<
    EtchRow,
    | 'id'
    | 'user_id'
    | 'hash'
    | 'created_at'
    | 'description'
    | 'category_id'
    | 'mode'
    | 'reveal_at'
    | 'challenge_id'
  >;
  content: string;
}

/** PKCS #8 around an Ed25519 seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const MOST_UNDER_ONE_ROOT = 2 ** MAX_PROMISE_PATH;

/** Derives one key from each of SECRET_KEYS, so that promises from before a rotation still verify. */
export function createPromises(keyring: Keyring): Promises {
  const keys = keyring.secrets('promise').map((seed) => {
    const secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    const { x } = createPublicKey(secret).export({ format: 'jwk' });
    return { secret, publicKey: Buffer.from(x!, 'base64url').toString('hex') };
  });
  const { secret, publicKey } = keys[0]!;
  const signWithKey = (text: string) => ({
    public_key: publicKey,
    signature: sign(null, Buffer.from(text), secret).toString('hex'),
  });
  const signTree = (texts: readonly PromisedText[]): EtchPromise[] => {
    const { root, proofs } = buildTree(
      texts.map(({ leaf }) => leaf),
      sha256,
    );
    const signed = signWithKey(promisesText(root));
    return texts.map(({ text, nonce }, index) => ({
      text,
      path: proofs[index]!.map(bytesToHex),
      ...signed,
      nonce,
    }));
  };
  return {
    keys: keys.map((key) => key.publicKey),
    sign: signWithKey,
    async give(accepted) {
      const lengthOf = ({ content }: Accepted) => content.length + TEXT_LENGTH;
      const texts = await mapInTimeSlices(accepted, lengthOf, promisedText, HASHED_AT_ONCE);
      const given: EtchPromise[] = [];
      for (let from = 0; from < texts.length; from += MOST_UNDER_ONE_ROOT)
        given.push(...signTree(texts.slice(from, from + MOST_UNDER_ONE_ROOT)));
      return given;
    },
  };
}

interface PromisedText {
  text: string;
  nonce: string;
  leaf: Uint8Array;
}

/** Approximate length of a promise without the content, in characters. */
const TEXT_LENGTH = 400;
/** Hashing this many characters takes about two milliseconds. */
const HASHED_AT_ONCE = 65_536;

function promisedText({ etch, content }: Accepted): PromisedText {
  const nonce = drawRandom(32).toString('hex');
  const text = promiseText({
    etchId: etch.id,
    userId: etch.user_id,
    hash: etch.hash.toString('hex'),
    anchorBy: anchorBy(etch.created_at.slice(0, 10)),
    descriptionHash: hashDescription(etch.description, sha256),
    topic: etch.category_id,
    mode: etch.mode,
    revealAt: etch.reveal_at,
    challengeId: etch.challenge_id,
    words: promiseWords(nonce, content, sha256),
  });
  return { text, nonce, leaf: promiseLeaf(text, sha256) };
}
