import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { anchorBy, promiseText, type SignedPromise } from '@svc/protocol';
import type { Keyring } from '../secrets/keyring.ts';
import type { EtchRow } from './row.ts';

/** Promises that etches are anchored, signed by the service (docs/protocol.md#10-promises). */
export interface Promises {
  /** public keys in hex, the one in use first: every promise ever given verifies under one of them */
  readonly keys: readonly string[];
  /**
   * The promise for an etch: the same each time, for it rests on what never changes.
   * @param secretKey which of SECRET_KEYS was in use when it was made; the one in use now unless told
   */
  of(
    etch: Pick<EtchRow, 'id' | 'user_id' | 'hash' | 'created_at'>,
    secretKey?: number,
  ): Promise<SignedPromise>;
}

/** PKCS #8 around an Ed25519 seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

// In the thread pool: a signature costs as much as the rest of a creation does here.
const signAside = promisify<null, Buffer, KeyObject, Buffer>(sign);

/** By keys derived from SECRET_KEYS, one of each, so that what was promised before a rotation still verifies. */
export function createPromises(keyring: Keyring): Promises {
  const keys = keyring.secrets('promise').map((seed) => {
    const secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    const { x } = createPublicKey(secret).export({ format: 'jwk' });
    return { secret, publicKey: Buffer.from(x!, 'base64url').toString('hex') };
  });
  return {
    keys: keys.map(({ publicKey }) => publicKey),
    async of({ id, user_id: userId, hash, created_at: createdAt }, secretKey = 0) {
      const { secret, publicKey } = keys[secretKey]!;
      const parts = {
        etchId: id,
        userId,
        hash: hash.toString('hex'),
        anchorBy: anchorBy(createdAt.slice(0, 10)),
      };
      const text = promiseText(parts);
      const signature = await signAside(null, Buffer.from(text), secret);
      return { text, public_key: publicKey, signature: signature.toString('hex') };
    },
  };
}
