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
import { mapInTimeSlices } from '../platform/flow/time-slices.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import { drawRandom } from '../platform/secrets/random.ts';
import { sha256, signingKey } from '../platform/secrets/signing-key.ts';
import type { EtchRow } from './row.ts';

export interface Accepted {
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

const MOST_UNDER_ONE_ROOT = 2 ** MAX_PROMISE_PATH;

/** Each of SECRET_KEYS gives a key, so that earlier promises still verify. */
export function createPromises(keyring: Keyring) {
  const keys = keyring.secrets('promise').map(signingKey);
  const publicKey = keys[0]!.publicKey.toString('hex');
  const signWithKey = (text: string) => ({
    public_key: publicKey,
    signature: keys[0]!.sign(text).toString('hex'),
  });
  const signWithEach = (text: string) => ({
    text,
    signatures: keys.map((key) => ({
      public_key: key.publicKey.toString('hex'),
      signature: key.sign(text).toString('hex'),
    })),
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
    /** hex, current one first; each earlier promise verifies under one */
    keys: keys.map((key) => key.publicKey.toString('hex')),
    sign: signWithKey,
    signWithEach,
    async give(accepted: readonly Accepted[]) {
      const lengthOf = ({ content }: Accepted) => content.length + TEXT_LENGTH;
      const texts = await mapInTimeSlices(accepted, lengthOf, promisedText, HASHED_AT_ONCE);
      const given: EtchPromise[] = [];
      for (let from = 0; from < texts.length; from += MOST_UNDER_ONE_ROOT)
        given.push(...signTree(texts.slice(from, from + MOST_UNDER_ONE_ROOT)));
      return given;
    },
  };
}

/** docs/protocol.md#410-promises */
export type Promises = ReturnType<typeof createPromises>;

interface PromisedText {
  text: string;
  nonce: string;
  leaf: Uint8Array;
}

const TEXT_LENGTH = 400;
/** Bytes hashed without a pause, about two milliseconds. */
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
