import { bytesToHex } from '@svc/protocol';
import { certificateLine, isSameCertificate } from './certificate-line.ts';
import { nameOf, type TrustedCertificates } from './certificates.ts';
import { isSame } from './bytes.ts';
import { checkSignature } from './signature.ts';
import { judging, malformed, TimestampError } from './timestamp-error.ts';
import { readToken } from './token.ts';

export interface Timestamp {
  /** milliseconds; the stamped data existed by then */
  time: number;
  /** stated by the authority, in milliseconds */
  accuracy: number;
  /** in the signer's certificate */
  authority: string;
  /** decimal digits, by the authority */
  serial: string;
  /** when the first certificate of the path expires, in milliseconds */
  goodUntil: number;
}

/**
 * Needs a path of certificates that were valid **at the token's time** (RFC 3161). At most 64 KiB, 8
 * certificates and 10 seconds (`limit`).
 * @param imprint SHA-256 of the stamped data
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
  return judging(async () => {
    const read = readToken(token, { strict: true });
    const { info, time, accuracy, signer, certificates } = read;
    if (!isSame(info.messageImprint.hashedMessage.valueBlock.valueHexView, imprint))
      throw new TimestampError('imprint', 'it is for different data');
    await checkSignature(read);
    const line = await certificateLine(signer, certificates, trusted, time);
    const bound = [...line, ...trusted];
    if (!certificates.every((one) => bound.some((other) => isSameCertificate(one, other))))
      throw malformed('it contains certificates that certify nothing in it');
    return {
      time,
      accuracy,
      authority: nameOf(signer),
      serial: BigInt(`0x${bytesToHex(info.serialNumber.valueBlock.valueHexView)}`).toString(),
      goodUntil: Math.min(...line.map(({ notAfter }) => notAfter.value.getTime())),
    };
  });
}
