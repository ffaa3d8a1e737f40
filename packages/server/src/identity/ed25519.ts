import { createPublicKey, verify } from 'node:crypto';

/**
 * Verifies by a key that was checked strictly when it was registered (canonical, not of small order), where
 * node:crypto is as strict as RFC 8032 wants and many times faster than the protocol's own.
 */
export function verifyByRegisteredKey(publicKey: string, message: string, signature: Buffer): boolean {
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') },
    format: 'jwk',
  });
  return verify(null, Buffer.from(message), key, signature);
}
