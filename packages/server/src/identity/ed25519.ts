import { createPublicKey, verify } from 'node:crypto';
import { verifySignature } from '@svc/protocol';

/**
 * For registered keys, node:crypto follows RFC 8032 and is fast. From OpenSSL 3.5 on it rejects some valid signatures,
 * so the protocol's code checks rejected ones again.
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
