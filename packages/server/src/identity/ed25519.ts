import { createPublicKey, verify } from 'node:crypto';
import { verifySignature } from '@svc/protocol';

/**
 * Verifies with a key that registration checked strictly (canonical, not of small order). For such keys node:crypto follows RFC 8032 and
 * is many times faster than the protocol's own code. From OpenSSL 3.5 on it rejects some signatures that verifiers accept, so the
 * protocol's code checks every signature that node:crypto rejects.
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
