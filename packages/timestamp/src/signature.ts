import { fromBER, OctetString } from 'asn1js';
import { type AlgorithmIdentifier, type Certificate, getCrypto } from 'pkijs';
import { copyOf, derOf, digest, isSame, itemsOf } from './bytes.ts';
import { certificateBytes } from './certificates.ts';
import { checkCurveSignature } from './der.ts';
import {
  DIGESTS,
  digestOfSignature,
  EC_KEY,
  EC_SIGNATURE,
  RSA,
  SHA_256,
  SIGNING_CERTIFICATE,
  SIGNING_CERTIFICATE_V2,
} from './object-ids.ts';
import { malformed, TimestampError } from './timestamp-error.ts';
import { signedAttribute, signedContent, type Token } from './token.ts';

const wrong = (what: string): TimestampError => new TimestampError('signature', what);

/**
 * The signed attributes must name the certificate (RFC 5652, section 5.4, RFC 5035).
 * @throws {TimestampError}
 */
export async function checkSignature({ infoBytes, signerInfo, digestName, signer }: Token): Promise<void> {
  if (!isSame(signedContent(signerInfo), await digest(digestName, infoBytes)))
    throw wrong('its signature is of a different time stamp');
  // Without this check, a different certificate of the same key could replace it.
  const named = namedCertificate(signerInfo);
  if (!isSame(named.hash, await digest(named.digestName, certificateBytes(signer))))
    throw wrong('its signature names a different certificate');
  const signed = new Uint8Array(signerInfo.signedAttrs!.encodedValue);
  const { signature, signatureAlgorithm } = signerInfo;
  if (!(await isSignedBy(signed, signature.valueBlock.valueHexView, signer, signatureAlgorithm, digestName)))
    throw wrong('its signature is not by the certificate in it');
}

export async function isIssuedBy(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const { signature, signatureAlgorithm, signatureValue } = certificate;
  const digestName = digestOfSignature(signatureAlgorithm.algorithmId);
  if (digestName === undefined || signatureValue.valueBlock.unusedBits !== 0) return false;
  if (!isSame(derOf(signature), derOf(signatureAlgorithm))) return false;
  const tbs = copyOf(certificate.tbsView);
  return isSignedBy(tbs, signatureValue.valueBlock.valueHexView, issuer, signatureAlgorithm, digestName);
}

async function isSignedBy(
  data: Uint8Array<ArrayBuffer>,
  signature: Uint8Array,
  { subjectPublicKeyInfo }: Certificate,
  algorithm: AlgorithmIdentifier,
  digestName: string,
): Promise<boolean> {
  // The library uses the kind of the key and ignores the algorithm.
  const isCurve = algorithm.algorithmId.startsWith(EC_SIGNATURE);
  if (subjectPublicKeyInfo.algorithm.algorithmId !== (isCurve ? EC_KEY : RSA)) return false;
  try {
    if (isCurve) checkCurveSignature(signature);
    const value = { valueBlock: { valueHexView: copyOf(signature) } } as OctetString;
    return await getCrypto(true).verifyWithPublicKey(
      data,
      value,
      subjectPublicKeyInfo,
      algorithm,
      digestName,
    );
  } catch {
    // A different kind of key, or a malformed signature.
    return false;
  }
}

function namedCertificate(signerInfo: Token['signerInfo']): NamedCertificate {
  const newer = signedAttribute(signerInfo, SIGNING_CERTIFICATE_V2);
  const attribute = newer ?? signedAttribute(signerInfo, SIGNING_CERTIFICATE);
  if (attribute === undefined) throw malformed('its signature does not name its certificate');
  return readNamedCertificate(attribute, { newer: newer !== undefined });
}

interface NamedCertificate {
  digestName: string;
  hash: Uint8Array;
}

/**
 * The first certificate in the attribute's list (RFC 5035).
 * @throws {TimestampError}
 */
export function readNamedCertificate(
  attribute: BufferSource,
  { newer }: { newer: boolean },
): NamedCertificate {
  const certificates = itemsOf(fromBER(attribute).result)[0];
  const [first, second] = itemsOf(itemsOf(certificates)[0]);
  // The older attribute uses SHA-1; the newer one defaults to SHA-256.
  if (!newer) return { digestName: 'SHA-1', hash: bytesOf(first) };
  if (first instanceof OctetString) return { digestName: DIGESTS[SHA_256]!.name, hash: bytesOf(first) };
  const algorithm = itemsOf(first)[0] as { valueBlock: { toString(): string } } | undefined;
  const digestName = DIGESTS[algorithm?.valueBlock.toString() ?? '']?.name;
  if (digestName === undefined)
    throw malformed('its signature names its certificate by a digest that is not accepted');
  return { digestName, hash: bytesOf(second) };
}

function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof OctetString)) throw malformed('its signature does not name its certificate');
  return value.valueBlock.valueHexView;
}
