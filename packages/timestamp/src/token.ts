import { fromBER, type Integer, type ObjectIdentifier, type OctetString, type Sequence } from 'asn1js';
import {
  AlgorithmIdentifier,
  type Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedData,
  SignerInfo,
  TSTInfo,
} from 'pkijs';
import { copyOf, derOf, isSame, itemsOf } from './bytes.ts';
import { MOST_CERTIFICATES } from './certificates.ts';
import { checkDer, checkSorted, itemsOfDer } from './der.ts';
import { CONTENT_TYPE, DIGESTS, MESSAGE_DIGEST, SHA_256, SIGNED_DATA, TST_INFO } from './object-ids.ts';
import { readStampFields } from './stamp-fields.ts';
import { malformed, TimestampError } from './timestamp-error.ts';

/** Also limits an authority's answer. */
export const MOST_BYTES = 64 * 1024;

export interface Token {
  info: TSTInfo;
  /** milliseconds since 1970, cut */
  time: number;
  /** milliseconds */
  accuracy: number;
  /** their digest is signed */
  infoBytes: Uint8Array<ArrayBuffer>;
  signerInfo: SignerInfo;
  digestName: string;
  signedData: SignedData;
  certificates: readonly Certificate[];
  signer: Certificate;
}

/**
 * One signature, by one certificate in the token (RFC 3161, section 2.4.2, RFC 5652). Unsigned bytes must
 * have their only possible value. `strict` rejects any other content.
 * @throws {TimestampError}
 */
export function readToken(bytes: Uint8Array, { strict }: { strict: boolean }): Token {
  if (bytes.length > MOST_BYTES) throw malformed(`it is longer than ${MOST_BYTES} bytes`);
  checkDer(bytes);
  const signedData = readSignedData(bytes);
  // Also finds bytes that the parser skips.
  const again = derOf(new ContentInfo({ contentType: SIGNED_DATA, content: signedData.toSchema(true) }));
  if (strict && !isSame(bytes, again)) throw malformed('it contains data that no signature covers');
  const { encapContentInfo, signerInfos } = signedData;
  const [signerInfo] = signerInfos;
  const content = encapContentInfo.eContent;
  if (signedData.version !== 3 || encapContentInfo.eContentType !== TST_INFO || !content)
    throw malformed('its signed data is no time stamp');
  if (signerInfo === undefined || signerInfos.length !== 1)
    throw malformed('it does not have exactly one signature');
  const infoBytes = new Uint8Array(content.getValue());
  checkDer(infoBytes);
  const fields = readStampFields(infoBytes);
  const info = TSTInfo.fromBER(copyOf(infoBytes));
  if (info.version !== 1 || info.messageImprint.hashAlgorithm.algorithmId !== SHA_256)
    throw malformed('its signed data is no time stamp over SHA-256');
  if (info.extensions?.some(({ critical }) => critical))
    throw malformed('it has an extension that is not known');
  const certificates = signedData.certificates as Certificate[];
  if (strict && signerInfo.unsignedAttrs !== undefined)
    throw malformed('it contains data that no signature covers');
  const digestName = checkAlgorithms(signedData, signerInfo);
  checkAttributes(signerInfo);
  const signer = signerOf(signerInfo, certificates);
  return { info, ...fields, infoBytes, signerInfo, digestName, signedData, certificates, signer };
}

const CONTEXT = 3;

/** pkijs compares the whole with every possible content, which takes three times as long. */
function readSignedData(bytes: Uint8Array): SignedData {
  const [type, outer] = itemsOf(fromBER(copyOf(bytes)).result);
  const [content] = itemsOf(outer);
  if ((type as ObjectIdentifier | undefined)?.valueBlock.toString() !== SIGNED_DATA)
    throw malformed('it is not signed data');
  const [version, digests, encapsulated, ...rest] = itemsOf(content);
  const certificates = rest.find(
    (one) => (one as Sequence).idBlock.tagClass === CONTEXT && (one as Sequence).idBlock.tagNumber === 0,
  );
  const held = itemsOf(certificates);
  // Before any certificate is parsed.
  if (held.length > MOST_CERTIFICATES)
    throw malformed(`it holds ${held.length} certificates, and at most ${MOST_CERTIFICATES} are accepted`);
  return new SignedData({
    version: (version as Integer).valueBlock.valueDec,
    digestAlgorithms: itemsOf(digests).map((schema) => new AlgorithmIdentifier({ schema })),
    encapContentInfo: new EncapsulatedContentInfo({ schema: encapsulated }),
    certificates: held.map((schema) => new Certificate({ schema })),
    signerInfos: itemsOf(rest.at(-1)).map((schema) => new SignerInfo({ schema })),
  });
}

/** Signed as DER (RFC 5652, section 5.4), which sorts attributes and their values. */
function checkAttributes({ signedAttrs }: SignerInfo): void {
  if (signedAttrs === undefined) return;
  const set = new Uint8Array(signedAttrs.encodedValue);
  checkSorted(set);
  for (const { whole } of itemsOfDer(set)) checkSorted(itemsOfDer(whole)[1]!.whole);
}

function checkAlgorithms(
  { digestAlgorithms }: SignedData,
  { digestAlgorithm, signatureAlgorithm }: SignerInfo,
): string {
  const digest = DIGESTS[digestAlgorithm.algorithmId];
  if (digest === undefined || !digest.signatures.includes(signatureAlgorithm.algorithmId))
    throw malformed(
      'its signature algorithm is not accepted (use RSA or ECDSA with SHA-256, SHA-384 or SHA-512)',
    );
  const [named] = digestAlgorithms;
  if (digestAlgorithms.length !== 1 || named?.algorithmId !== digestAlgorithm.algorithmId)
    throw malformed('it names a different digest than its signature uses');
  if (![named, digestAlgorithm, signatureAlgorithm].every(isWithoutParameters))
    throw malformed('its algorithms have parameters');
  return digest.name;
}

function isWithoutParameters({ algorithmParams }: AlgorithmIdentifier): boolean {
  if (algorithmParams === undefined) return true;
  const bytes = new Uint8Array((algorithmParams as { toBER(): ArrayBuffer }).toBER());
  return isSame(bytes, Uint8Array.of(5, 0));
}

function signerOf({ version, sid }: SignerInfo, certificates: readonly Certificate[]): Certificate {
  if (version !== 1 || !(sid instanceof IssuerAndSerialNumber))
    throw malformed('its signer is not named by issuer and number');
  const issuer = derOf(sid.issuer);
  const signer = certificates.find(
    (one) => isSame(derOf(one.issuer), issuer) && one.serialNumber.isEqual(sid.serialNumber),
  );
  if (signer === undefined)
    throw new TimestampError('unknown', 'it does not hold the certificate of its signer');
  return signer;
}

/** In DER. @throws {TimestampError} when it occurs twice */
export function signedAttribute(
  { signedAttrs }: SignerInfo,
  type: string,
): Uint8Array<ArrayBuffer> | undefined {
  const found = (signedAttrs?.attributes ?? []).filter((attribute: Attribute) => attribute.type === type);
  if (found.length === 0) return undefined;
  const values = found[0]!.values as { toBER(): ArrayBuffer }[];
  if (found.length > 1 || values.length !== 1) throw malformed('it has a signed attribute twice');
  return new Uint8Array(values[0]!.toBER());
}

/** The digest of the time stamp. @throws {TimestampError} */
export function signedContent(signerInfo: SignerInfo): Uint8Array {
  const type = signedAttribute(signerInfo, CONTENT_TYPE);
  const digest = signedAttribute(signerInfo, MESSAGE_DIGEST);
  if (type === undefined || digest === undefined)
    throw malformed('its signature lacks the type or the digest of its data');
  if ((fromBER(type).result as ObjectIdentifier).valueBlock.toString() !== TST_INFO)
    throw malformed('its signature is not over a time stamp');
  return (fromBER(digest).result as OctetString).valueBlock.valueHexView;
}
