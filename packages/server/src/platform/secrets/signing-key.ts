import { createPrivateKey, createPublicKey, hash, sign } from 'node:crypto';

/** PKCS #8 around an Ed25519 seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export function signingKey(seed: Uint8Array) {
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(secret).export({ format: 'jwk' });
  return {
    publicKey: Buffer.from(x!, 'base64url'),
    sign: (message: string) => sign(null, Buffer.from(message), secret),
  };
}

export const sha256 = (data: Uint8Array | string): Buffer =>
  Buffer.from(hash('sha256', data, 'binary'), 'binary');
