import { createPublicKey, verify } from 'node:crypto';
import { verifySignature } from '@svc/protocol';

/**
 * Verifies by a key that was checked strictly when it was registered (canonical, not of small order), where
 * node:crypto is as strict as RFC 8032 wants and many times faster than the protocol's own. From OpenSSL 3.5 on it is stricter, and
 * refuses some that verifiers take: what it refuses is judged as they do.
 */
export function verifyByRegisteredKey(publicKey: string, message: string, signature: Buffer): boolean {
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') },
    format: 'jwk',
  });
  return (
    verify(null, Buffer.from(message), key, signature) ||
    verifySignature({ publicKey, message, signature: signature.toString('hex') })
  );
}
