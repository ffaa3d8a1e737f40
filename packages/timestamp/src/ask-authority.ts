import { withoutLoose } from './keep-token.ts';
import type { TrustedCertificates } from './certificates.ts';
import { digest } from './bytes.ts';
import { fetchBytes } from './fetch-bytes.ts';
import type { FetchOptions } from './fetch-bytes.ts';
import { encodeRequest, readResponse } from './request.ts';
import { judging, TimestampError } from './timestamp-error.ts';
import { MOST_BYTES } from './token.ts';
import { verifyToken } from './verify-token.ts';
import type { Timestamp } from './verify-token.ts';

export interface AuthorityOptions extends FetchOptions {
  trusted: TrustedCertificates;
  /** milliseconds */
  now: () => number;
}

export interface Stamped {
  token: Uint8Array;
  timestamp: Timestamp;
}

/** A clock that is further off is useless as a second clock. */
const MOST_OFF_MS = 300_000;

/**
 * Checks imprint, nonce, signature, certificates and time (RFC 3161 over HTTP).
 * @throws {TimestampError}
 */
export async function askAuthority(
  url: string,
  data: Uint8Array,
  options: AuthorityOptions,
): Promise<Stamped> {
  const imprint = await digest('SHA-256', data);
  const nonce = crypto.getRandomValues(new Uint8Array(9));
  // A positive number in its shortest DER form.
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  const answer = await post(url, encodeRequest({ imprint, nonce }), options);
  const token = await judging(async () =>
    withoutLoose(readResponse(answer, { imprint, nonce }), options.trusted),
  );
  const timestamp = await verifyToken(token, imprint, options.trusted);
  if (Math.abs(timestamp.time - options.now()) > MOST_OFF_MS)
    throw new TimestampError('time', 'its clock is more than five minutes off');
  return { token, timestamp };
}

async function post(
  url: string,
  body: Uint8Array<ArrayBuffer>,
  options: AuthorityOptions,
): Promise<Uint8Array> {
  const headers = { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' };
  const { status, bytes } = await fetchBytes(url, { method: 'POST', headers, body }, MOST_BYTES, options);
  if (status !== 200) throw new TimestampError('unreachable', `it answered with status ${status}`);
  return bytes;
}
