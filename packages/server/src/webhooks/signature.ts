import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export const makeSecret = (): Buffer => randomBytes(32);

/** As it is shown: `whsec_` and base64. */
export const showSecret = (secret: Buffer): string => PREFIX + secret.toString('base64');

/** The headers of Standard Webhooks 1.0: HMAC-SHA-256 over id, time in seconds and body. */
export function signatureHeaders(
  secret: Buffer,
  id: string,
  seconds: number,
  body: string,
): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
}
