import { ContentInfo } from 'pkijs';
import { derOf } from './bytes.ts';
import { certificateLine, isSameCertificate } from './certificate-line.ts';
import type { TrustedCertificates } from './certificates.ts';
import { SIGNED_DATA } from './object-ids.ts';
import { checkSignature } from './signature.ts';
import { readToken } from './token.ts';

/**
 * Removes unneeded certificates and unsigned bytes. Signed bytes do not change, so other programs accept the
 * token.
 * @throws {TimestampError}
 */
export async function withoutLoose(token: Uint8Array, trusted: TrustedCertificates): Promise<Uint8Array> {
  const read = readToken(token, { strict: false });
  const { info, signedData, signerInfo, signer, certificates } = read;
  await checkSignature(read);
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
