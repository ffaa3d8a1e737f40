import { ed25519 } from '@noble/curves/ed25519.js';
import {
  bytesToHex,
  etchSignedString,
  hexToBytes,
  isHex,
  keySignedString,
  operatorSignedString,
  registerSignedString,
  textToBytes,
} from '@svc/protocol';

/** 32 bytes in lower-case hex each. The secret key controls the account. */
export interface KeyPair {
  readonly publicKey: string;
  readonly secretKey: string;
}

/**
 * @example
 * const keyPair = generateKeyPair();
 * keyPair.publicKey.length; // 64
 */
export function generateKeyPair(): KeyPair {
  return keyPairOf(bytesToHex(ed25519.utils.randomSecretKey()));
}

/**
 * @param secretKey 32 bytes in hex
 * @throws {TypeError} when it is malformed
 * @example
 * keyPairOf(keyPair.secretKey); // keyPair
 */
export function keyPairOf(secretKey: string): KeyPair {
  const secret = typeof secretKey === 'string' ? secretKey.toLowerCase() : secretKey;
  if (!isHex(secret, 32)) throw new TypeError('the secret key is not 32 bytes in hex');
  return { publicKey: bytesToHex(ed25519.getPublicKey(hexToBytes(secret))), secretKey: secret };
}

/**
 * @returns 64 bytes in hex (RFC 8032, over UTF-8)
 * @example
 * signText('', keyPair).length; // 128
 */
export function signText(text: string, keyPair: KeyPair): string {
  return bytesToHex(ed25519.sign(textToBytes(text), hexToBytes(keyPair.secretKey)));
}

/**
 * `svc-sig:v1|<user_id>|<sha256(content)>` (docs/specification.md#etch).
 * @example
 * const { id } = await client.me();
 * signEtch(id, 'High water at 14:12.', keyPair).length; // 128
 */
export function signEtch(userId: string, content: string, keyPair: KeyPair): string {
  return signText(etchSignedString(userId, content), keyPair);
}

/** The service accepts it for five minutes. */
export interface TimedSignature {
  public_key: string;
  signature: string;
  issued_at: string;
}

/**
 * docs/specification.md#post-agents
 * @example
 * const { issued_at, signature } = signRegistration(keyPair, new Date('2026-01-02T03:04:05Z'));
 * issued_at; // '2026-01-02T03:04:05.000Z'
 * signature.length; // 128
 */
export const signRegistration = (keyPair: KeyPair, at = new Date()): TimedSignature =>
  timed(keyPair, at, (issuedAt) => registerSignedString(keyPair.publicKey, issuedAt));

/**
 * docs/specification.md#further-endpoints
 * @example
 * signKeyRecovery(keyPair).public_key; // keyPair.publicKey
 */
export const signKeyRecovery = (keyPair: KeyPair, at = new Date()): TimedSignature =>
  timed(keyPair, at, (issuedAt) => keySignedString(keyPair.publicKey, issuedAt));

/**
 * Permits a person to operate the agent. The person sends it (docs/specification.md#post-meoperator).
 * @example
 * signOperator(keyPair, etch.author.user_id).public_key; // keyPair.publicKey
 */
export const signOperator = (keyPair: KeyPair, operatorId: string, at = new Date()): TimedSignature =>
  timed(keyPair, at, (issuedAt) => operatorSignedString(operatorId, issuedAt));

function timed(keyPair: KeyPair, at: Date, words: (issuedAt: string) => string): TimedSignature {
  const issuedAt = at.toISOString();
  return {
    public_key: keyPair.publicKey,
    signature: signText(words(issuedAt), keyPair),
    issued_at: issuedAt,
  };
}
