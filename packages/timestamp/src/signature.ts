import { fromBER } from 'asn1js';
import type { OctetString, Sequence } from 'asn1js';
import { getCrypto } from 'pkijs';
import type { AlgorithmIdentifier, Certificate } from 'pkijs';
import { copyOf, derOf, digest, isSame } from './bytes.ts';
import { certificateBytes } from './certificates.ts';
import { checkCurveSignature } from './der.ts';
import {
  DIGESTS,
  digestOfSignature,
  SHA_256,
  SIGNING_CERTIFICATE,
  SIGNING_CERTIFICATE_V2,
} from './object-ids.ts';
import { malformed, TimestampError } from './timestamp-error.ts';
import { signedAttribute, signedContent } from './token.ts';
import type { Token } from './token.ts';

const wrong = (what: string): TimestampError => new TimestampError('signature', what);

/**
 * Is it signed by the key of the certificate that it names, which the signature names too (RFC 5652 section 5.4, RFC 5035)?
 * @throws {TimestampError}
 */
export async function checkSignature({ infoBytes, signerInfo, digestName, signer }: Token): Promise<void> {
  if (!isSame(signedContent(signerInfo), await digest(digestName, infoBytes)))
    throw wrong('its signature is of another time stamp');
  await checkNamedCertificate(await namedCertificate(signerInfo), signer);
  const signed = new Uint8Array(signerInfo.signedAttrs!.encodedValue);
  const { signature, signatureAlgorithm } = signerInfo;
  if (!(await isSignedBy(signed, signature.valueBlock.valueHexView, signer, signatureAlgorithm, digestName)))
    throw wrong('its signature is not by the certificate in it');
}

/** Is the certificate signed by the key of this one? */
export async function isIssuedBy(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const { signature, signatureAlgorithm, signatureValue } = certificate;
  const digestName = digestOfSignature(signatureAlgorithm.algorithmId);
  if (digestName === undefined || signatureValue.valueBlock.unusedBits !== 0) return false;
  if (!isSame(derOf(signature), derOf(signatureAlgorithm))) return false;
  const tbs = copyOf(certificate.tbsView);
  return isSignedBy(tbs, signatureValue.valueBlock.valueHexView, issuer, signatureAlgorithm, digestName);
}

const EC_SIGNATURE = '1.2.840.10045.4.3.';

async function isSignedBy(
  data: Uint8Array<ArrayBuffer>,
  signature: Uint8Array,
  { subjectPublicKeyInfo }: Certificate,
  algorithm: AlgorithmIdentifier,
  digestName: string,
): Promise<boolean> {
  try {
    if (algorithm.algorithmId.startsWith(EC_SIGNATURE)) checkCurveSignature(signature);
    const value = { valueBlock: { valueHexView: copyOf(signature) } } as OctetString;
    return await getCrypto(true).verifyWithPublicKey(
      data,
      value,
      subjectPublicKeyInfo,
      algorithm,
      digestName,
    );
  } catch {
    // A key of another kind, or a value that can be no signature.
    return false;
  }
}

interface NamedCertificate {
  digestName: string;
  hash: Uint8Array;
}

/** Else another certificate of the same key could be put in its place. */
async function checkNamedCertificate(
  { digestName, hash }: NamedCertificate,
  signer: Certificate,
): Promise<void> {
  if (!isSame(hash, await digest(digestName, certificateBytes(signer))))
    throw wrong('its signature names another certificate');
}

async function namedCertificate(signerInfo: Token['signerInfo']): Promise<NamedCertificate> {
  const newer = signedAttribute(signerInfo, SIGNING_CERTIFICATE_V2);
  const older = signedAttribute(signerInfo, SIGNING_CERTIFICATE);
  const attribute = newer ?? older;
  if (attribute === undefined) throw malformed('its signature does not name its certificate');
  const certificates = itemsOf(fromBER(attribute).result)[0];
  const [first, second] = itemsOf(itemsOf(certificates)[0]);
  if (first === undefined) throw malformed('its signature does not name its certificate');
  // The older one is SHA-1 by its name; the digest of a newer one is SHA-256 unless it says otherwise.
  if (newer === undefined) return { digestName: 'SHA-1', hash: bytesOf(first) };
  const algorithm = itemsOf(first)[0] as { valueBlock: { toString(): string } } | undefined;
  if (algorithm === undefined) return { digestName: DIGESTS[SHA_256]!.name, hash: bytesOf(first) };
  const digestName = DIGESTS[algorithm.valueBlock.toString()]?.name;
  if (digestName === undefined)
    throw malformed('its signature names its certificate by a digest that is not taken');
  return { digestName, hash: bytesOf(second) };
}

const itemsOf = (value: unknown): unknown[] => {
  const items = (value as Sequence | undefined)?.valueBlock?.value as unknown;
  return Array.isArray(items) ? items : [];
};
function bytesOf(value: unknown): Uint8Array {
  const bytes = (value as OctetString | undefined)?.valueBlock?.valueHexView;
  if (!(bytes instanceof Uint8Array)) throw malformed('its signature does not name its certificate');
  return bytes;
}
