// Checks that a request was signed by the key that it names, and that it is fresh.
import { parseDateTime } from '@svc/contract';
import { normalizePublicKey, verifySignature } from '@svc/protocol';
import { createPublicKey, verify } from 'node:crypto';
import { badField } from '../platform/failure.ts';
import { sha256 } from '../platform/secrets/signing-key.ts';
import { type GuardedOptions, guardedRequest, GuardRefused } from '../platform/outgoing/guarded-request.ts';

/** Allowed difference in both directions (docs/specification.md#signed-strings). */
export const SIGNATURE_WINDOW_MS = 5 * 60_000;

export interface SignedRequest {
  public_key: string;
  signature: string;
  issued_at: string;
}

/** The signature covers `issued_at` and `public_key` as sent. */
export function proveKey(request: SignedRequest, message: string, now: number) {
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

const PATH = '/.well-known/svc-agent.txt';

/** The file must contain the key on a separate line. No redirects, public addresses only. */
export async function checkDomain(domain: string, publicKey: string, options: GuardedOptions): Promise<void> {
  const text = await fetchFile(domain, options);
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  if (!lines.some((line) => line.trim().toLowerCase() === publicKey)) {
    throw badField(
      'domain',
      `https://${domain}${PATH} does not list the key ${publicKey} on a line of its own`,
    );
  }
}

async function fetchFile(domain: string, options: GuardedOptions): Promise<string> {
  const refuse = (problem: string) => badField('domain', `https://${domain}${PATH} ${problem}`);
  try {
    const { status, text } = await guardedRequest(
      {
        method: 'GET',
        host: domain,
        path: PATH,
        headers: { accept: 'text/plain', 'user-agent': 'svc-domain-check' },
        wantsText: (found) => found === 200,
      },
      options,
    );
    if (status === 200) return text;
    const redirects = status >= 300 && status < 400;
    throw refuse(redirects ? 'redirects, which is not followed' : `answered ${status}`);
  } catch (error) {
    throw error instanceof GuardRefused ? refuse(error.message) : error;
  }
}
