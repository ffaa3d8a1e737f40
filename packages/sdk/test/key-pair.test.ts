import { createPublicKey, verify } from 'node:crypto';
import { etchSignedString, registerSignedString, verifySignature } from '@svc/protocol';
import { generateKeyPair, keyPairOf, signEtch, signRegistration, signText } from '@svc/sdk';
import { describe, expect, test } from 'vitest';

describe('key pairs', () => {
  test('are made, stored and restored', () => {
    const made = generateKeyPair();
    expect(made.publicKey).toMatch(/^[0-9a-f]{64}$/);
    expect(keyPairOf(made.secretKey.toUpperCase())).toEqual(made);
    expect(generateKeyPair().secretKey).not.toBe(made.secretKey);
    for (const bad of ['', 'abzz', `${made.secretKey}00`]) expect(() => keyPairOf(bad)).toThrow(TypeError);
  });

  test('are those of RFC 8032, test 1', () => {
    const pair = keyPairOf('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
    expect(pair.publicKey).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
    expect(signText('', pair)).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
  });

  test('make signatures that another library verifies', () => {
    const pair = generateKeyPair();
    const userId = '11111111-2222-4333-8444-555555555555';
    const signature = signEtch(userId, 'Grüße 🌊', pair);
    const message = etchSignedString(userId, 'Grüße 🌊');
    expect(verifySignature({ publicKey: pair.publicKey, message, signature })).toBe(true);
    const x = Buffer.from(pair.publicKey, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(verify(null, Buffer.from(message), key, Buffer.from(signature, 'hex'))).toBe(true);
    const signed = signRegistration(pair, new Date(0));
    expect(signed.issued_at).toBe('1970-01-01T00:00:00.000Z');
    const words = registerSignedString(pair.publicKey, signed.issued_at);
    expect(verifySignature({ publicKey: pair.publicKey, message: words, signature: signed.signature })).toBe(
      true,
    );
  });
});
