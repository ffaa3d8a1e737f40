import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export const makeSecret = (): Buffer => randomBytes(32);

export const showSecret = (secret: Buffer): string => PREFIX + secret.toString('base64');

/** Standard Webhooks 1.0: HMAC-SHA-256 over id, seconds and body, one per secret. */
export function signatureHeaders(
  secrets: readonly Buffer[],
  id: string,
  seconds: number,
  body: string,
): Record<string, string> {
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
