import { ContentInfo } from 'pkijs';
import { derOf } from './bytes.ts';
import { certificateLine, isSameCertificate } from './certificate-line.ts';
import type { TrustedCertificates } from './certificates.ts';
import { SIGNED_DATA } from './object-ids.ts';
import { readToken } from './token.ts';

/**
 * The token as it is kept: without certificates that do not lead to a trusted one, and without what no signature covers. What is
 * signed stays as it is, so that any other program takes it.
 * @throws {TimestampError}
 */
export async function withoutLoose(token: Uint8Array, trusted: TrustedCertificates): Promise<Uint8Array> {
  const { info, signedData, signerInfo, signer, certificates } = readToken(token, { strict: false });
  const line = await certificateLine(signer, certificates, trusted, info.genTime.getTime());
  const needed = [
    signer,
    ...line.certificates.filter((one) => !trusted.some((other) => isSameCertificate(one, other))),
  ];
  signedData.certificates = certificates.filter((one) =>
    needed.some((other) => isSameCertificate(one, other)),
  );
  delete signedData.crls;
  delete signerInfo.unsignedAttrs;
  return derOf(new ContentInfo({ contentType: SIGNED_DATA, content: signedData.toSchema(true) }));
}
