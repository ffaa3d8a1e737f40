import type { TSTInfo } from 'pkijs';
import { certificateLine, isSameCertificate } from './certificate-line.ts';
import { nameOf } from './certificates.ts';
import type { TrustedCertificates } from './certificates.ts';
import { copyOf, isSame } from './bytes.ts';
import { checkSignature } from './signature.ts';
import { judging, malformed, TimestampError } from './timestamp-error.ts';
import { readToken } from './token.ts';

/** What a token says, once it holds. */
export interface Timestamp {
  /** milliseconds; what was stamped existed by then */
  time: number;
  /** how far the authority says that it may be off, in milliseconds */
  accuracy: number;
  /** whose certificate signed it, by its own name */
  authority: string;
  /** the authority's number of it, in decimal digits */
  serial: string;
  /** until when the certificates that lead to the trusted one are good, in milliseconds */
  goodUntil: number;
}

/**
 * Checks a time-stamp token (RFC 3161): that it is of this imprint, signed by its certificate, and that certificates which were good
 * **at its time** lead from there to a trusted one. Every byte of it counts: what no signature covers must be as it can only be.
 * A token has at most 64 KiB and 8 certificates, and a judgement ends within 10 seconds (`limit`).
 * @param imprint SHA-256 of what was stamped
 * @throws {TimestampError}
 * @example
 * const stamp = await verifyToken(token, imprint, readCertificates(pem));
 * stamp.authority; // 'O=Tests, CN=Time stamps of tests'
 */
export async function verifyToken(
  token: Uint8Array,
  imprint: Uint8Array,
  trusted: TrustedCertificates,
): Promise<Timestamp> {
  return judging(() => verify(token, imprint, trusted));
}

async function verify(
  token: Uint8Array,
  imprint: Uint8Array,
  trusted: TrustedCertificates,
): Promise<Timestamp> {
  const read = readToken(token, { strict: true });
  const { info, signer, certificates } = read;
  if (!isSame(info.messageImprint.hashedMessage.valueBlock.valueHexView, imprint))
    throw new TimestampError('imprint', 'it is of something else');
  await checkSignature(read);
  const time = info.genTime.getTime();
  if (!Number.isFinite(time)) throw malformed('it has no time');
  const line = await certificateLine(signer, certificates, trusted, time);
  const bound = [...line.certificates, ...trusted];
  if (!certificates.every((one) => bound.some((other) => isSameCertificate(one, other))))
    throw malformed('it holds certificates that lead nowhere');
  return {
    time,
    accuracy: accuracyOf(info),
    authority: nameOf(signer),
    serial: BigInt(`0x${toHex(info.serialNumber.valueBlock.valueHexView)}`).toString(),
    goodUntil: Math.min(...line.certificates.map(({ notAfter }) => notAfter.value.getTime())),
  };
}

const toHex = (bytes: Uint8Array): string =>
  [...copyOf(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function accuracyOf({ accuracy }: TSTInfo): number {
  const { seconds = 0, millis = 0, micros = 0 } = accuracy ?? {};
  return seconds * 1000 + millis + micros / 1000;
}
