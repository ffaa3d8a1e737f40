import { Integer, Null, OctetString } from 'asn1js';
import { AlgorithmIdentifier, ContentInfo, MessageImprint, TimeStampReq, TimeStampResp } from 'pkijs';
import { copyOf, derOf, digest, isSame } from './bytes.ts';
import { certificateLine, isSameCertificate } from './certificate-line.ts';
import type { TrustedCertificates } from './certificates.ts';
import { checkDer } from './der.ts';
import { fetchBytes, type FetchOptions } from './fetch-bytes.ts';
import { SHA_256, SIGNED_DATA } from './object-ids.ts';
import { checkSignature } from './signature.ts';
import { judging, malformed, TimestampError } from './timestamp-error.ts';
import { MOST_BYTES, readToken } from './token.ts';
import { type Timestamp, verifyToken } from './verify-token.ts';

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
    withoutUnsignedParts(readResponse(answer, { imprint, nonce }), options.trusted),
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

interface TimestampRequest {
  /** SHA-256 of the stamped data */
  imprint: Uint8Array;
  /** 1 to 20 random bytes, the first of them 1 to 127 */
  nonce: Uint8Array;
}

/** DER (RFC 3161, section 2.4.1). */
export function encodeRequest({ imprint, nonce }: TimestampRequest): Uint8Array<ArrayBuffer> {
  return derOf(
    new TimeStampReq({
      version: 1,
      messageImprint: new MessageImprint({
        hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA_256, algorithmParams: new Null() }),
        hashedMessage: new OctetString({ valueHex: copyOf(imprint).buffer }),
      }),
      nonce: new Integer({ valueHex: copyOf(nonce).buffer }),
      certReq: true,
    }),
  );
}

/** "granted" and "granted with changes" */
const GRANTED = [0, 1];

/**
 * The token in an authority's answer.
 * @throws {TimestampError}
 */
function readResponse(bytes: Uint8Array, { imprint, nonce }: TimestampRequest): Uint8Array<ArrayBuffer> {
  checkDer(bytes);
  const token = tokenOf(bytes);
  const { info } = readToken(token, { strict: false });
  if (!isSame(info.messageImprint.hashedMessage.valueBlock.valueHexView, imprint))
    throw new TimestampError('imprint', 'it stamped something else');
  if (info.nonce === undefined || !isSame(info.nonce.valueBlock.valueHexView, nonce))
    throw new TimestampError('nonce', 'it answered a different request (nonce)');
  return token;
}

function tokenOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  let response: TimeStampResp;
  try {
    response = TimeStampResp.fromBER(copyOf(bytes));
  } catch {
    throw malformed('it is no time-stamp response');
  }
  const { status, timeStampToken } = response;
  if (!GRANTED.includes(status.status))
    throw new TimestampError('refused', 'the authority refused the request');
  if (timeStampToken === undefined) throw malformed('there is no token in it');
  return derOf(timeStampToken);
}

/**
 * Removes unneeded certificates and unsigned bytes. Signed bytes do not change, so other programs accept the
 * token.
 * @throws {TimestampError}
 */
export async function withoutUnsignedParts(
  token: Uint8Array,
  trusted: TrustedCertificates,
): Promise<Uint8Array> {
  const read = readToken(token, { strict: false });
  const { time, signedData, signerInfo, signer, certificates } = read;
  await checkSignature(read);
  const line = await certificateLine(signer, certificates, trusted, time);
  const needed = [signer, ...line.filter((one) => !trusted.some((other) => isSameCertificate(one, other)))];
  signedData.certificates = certificates.filter((one) =>
    needed.some((other) => isSameCertificate(one, other)),
  );
  delete signedData.crls;
  delete signerInfo.unsignedAttrs;
  return derOf(new ContentInfo({ contentType: SIGNED_DATA, content: signedData.toSchema(true) }));
}
