import { createECDH, createHash } from 'node:crypto';
import type { JWK } from 'jose';
import type { Keyring } from '../../platform/secrets/keyring.ts';

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

export interface SigningKey extends JWK {
  kty: 'EC';
  kid: string;
  alg: 'ES256';
  d: string;
}

/** Derived keys let tokens survive a restart and work on every replica. The first key signs. */
export function signingKeys(keyring: Keyring): [SigningKey, ...SigningKey[]] {
  return keyring.secrets('issuer-keys').map(toSigningKey) as [SigningKey, ...SigningKey[]];
}

export function publicPart({ kty, crv, x, y, kid, alg, use }: SigningKey): JWK {
  return { kty, crv: crv!, x: x!, y: y!, kid, alg, use: use! };
}

function toSigningKey(secret: Buffer): SigningKey {
  const scalar = (BigInt(`0x${secret.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  return {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    d: d.toString('base64url'),
    kid: createHash('sha256').update(point).digest('base64url').slice(0, 16),
    alg: 'ES256',
    use: 'sig',
  };
}
