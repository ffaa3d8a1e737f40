import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { anchorBy, promisedBeside, promiseText, promiseTextV2, type SignedPromise } from '@svc/protocol';
import type { Keyring } from '../secrets/keyring.ts';
import type { EtchRow } from './row.ts';

/** Promises that etches are anchored, signed by the service (docs/protocol.md#10-promises). */
export interface Promises {
  /** public keys in hex, the one in use first: every promise ever given verifies under one of them */
  readonly keys: readonly string[];
  /** Signs by the key in use. */
  sign(text: string): Promise<SignedPromise>;
  /**
   * The promises for an etch, in both versions: the same each time, for they rest on what never changes.
   * @param secretKey which of SECRET_KEYS was in use when it was made; the one in use now unless told
   */
  of(etch: Promised, secretKey?: number): Promise<BothPromises>;
}

/** As the API answers them. */
export interface BothPromises {
  promise: SignedPromise;
  promise_v2: SignedPromise;
}

type Promised = Pick<
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

/** PKCS #8 around an Ed25519 seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const signAside = promisify<null, Buffer, KeyObject, Buffer>(sign);

/**
 * By keys derived from SECRET_KEYS, one of each, so that what was promised before a rotation still verifies.
 * @param options.aside signs in the thread pool. That leaves the serving thread a fifth more for creations where a core is free
 *   for it; where none is, handing over costs more than it spares (docs/performance.md#what-was-tried)
 */
export function createPromises(keyring: Keyring, { aside }: { aside: boolean }): Promises {
  const keys = keyring.secrets('promise').map((seed) => {
    const secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    const { x } = createPublicKey(secret).export({ format: 'jwk' });
    return { secret, publicKey: Buffer.from(x!, 'base64url').toString('hex') };
  });
  const signBy =
    (secretKey: number) =>
    async (text: string): Promise<SignedPromise> => {
      const { secret, publicKey } = keys[secretKey]!;
      const bytes = Buffer.from(text);
      const signature = aside ? await signAside(null, bytes, secret) : sign(null, bytes, secret);
      return { text, public_key: publicKey, signature: signature.toString('hex') };
    };
  return {
    sign: signBy(0),
    keys: keys.map(({ publicKey }) => publicKey),
    async of(etch, secretKey = 0) {
      const sign = signBy(secretKey);
      const parts = {
        etchId: etch.id,
        userId: etch.user_id,
        hash: etch.hash.toString('hex'),
        anchorBy: anchorBy(etch.created_at.slice(0, 10)),
      };
      const beside = promisedBeside({
        description: etch.description,
        topic: etch.category_id,
        mode: etch.mode,
        revealAt: etch.reveal_at,
        challengeId: etch.challenge_id,
      });
      const [promise, promiseV2] = await Promise.all([
        sign(promiseText(parts)),
        sign(promiseTextV2(parts, beside)),
      ]);
      return { promise, promise_v2: promiseV2 };
    },
  };
}
