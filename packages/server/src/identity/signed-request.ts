import { parseDateTime } from '@svc/contract';
import { normalizePublicKey, verifySignature } from '@svc/protocol';
import { badField } from '../platform/failure.ts';
import { sha256 } from '../platform/secrets/sha256.ts';

/** Allowed difference in both directions (docs/specification.md#signed-strings). */
export const SIGNATURE_WINDOW_MS = 5 * 60_000;

export interface SignedRequest {
  public_key: string;
  signature: string;
  issued_at: string;
}

export interface ProvenKey {
  publicKey: string;
  digest: Buffer;
}

/** The signature covers `issued_at` and `public_key` as sent. */
export function proveKey(request: SignedRequest, message: string, now: number): ProvenKey {
  const publicKey = normalizePublicKey(request.public_key);
  if (publicKey === null)
    throw badField(
      'public_key',
      'must be a canonical Ed25519 public key (32 bytes in hex), not of small order',
    );
  const issuedAt = parseDateTime(request.issued_at);
  if (issuedAt === null) throw badField('issued_at', 'must be an RFC 3339 time with an offset or Z');
  if (Math.abs(Date.parse(issuedAt) - now) > SIGNATURE_WINDOW_MS) {
    throw badField('issued_at', 'must be within five minutes of now: sign again with the current time');
  }
  const signature = request.signature.toLowerCase();
  if (!verifySignature({ publicKey, message, signature })) {
    throw badField('signature', `must be the Ed25519 signature over the UTF-8 bytes of "${message}"`);
  }
  return { publicKey, digest: sha256(`${signature}${message}`) };
}
