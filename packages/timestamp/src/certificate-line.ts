import type { BasicConstraints, Certificate, ExtKeyUsage, Extension } from 'pkijs';
import type { BitString } from 'asn1js';
import { derOf, isSame } from './bytes.ts';
import { certificateBytes, MOST_CERTIFICATES, nameOf, type TrustedCertificates } from './certificates.ts';
import * as oid from './object-ids.ts';
import { isIssuedBy } from './signature.ts';
import { malformed, TimestampError } from './timestamp-error.ts';

/**
 * The author of a token chooses its certificates, and the number of paths grows with the factorial of their
 * number.
 */
const MOST_SIGNATURE_CHECKS = 32;

/**
 * From the signer to a trusted certificate. Each certificate must be valid at the time of the stamp (RFC 5280); later expiry does not matter.
 * @param time of the stamp, in milliseconds
 * @throws {TimestampError} `unknown` without a path, `expired` when a certificate was not valid then,
 * `malformed` when the search needs too many signature checks
 */
export async function certificateLine(
  signer: Certificate,
  others: readonly Certificate[],
  trusted: TrustedCertificates,
  time: number,
): Promise<readonly Certificate[]> {
  checkSigner(signer);
  const line = await findLine([signer], { others, trusted, checks: 0 });
  if (line === undefined)
    throw new TimestampError('unknown', `no trusted certificate certifies its signer, ${nameOf(signer)}`);
  for (const one of line) {
    const { notBefore, notAfter } = one;
    if (time < notBefore.value.getTime() || time > notAfter.value.getTime())
      throw new TimestampError('expired', `the certificate of ${nameOf(one)} was not valid at its time`);
  }
  return line;
}

interface Search {
  others: readonly Certificate[];
  trusted: TrustedCertificates;
  /** in all branches */
  checks: number;
}

async function findLine(
  line: readonly Certificate[],
  search: Search,
): Promise<readonly Certificate[] | undefined> {
  const last = line.at(-1)!;
  if (search.trusted.some((one) => isSameCertificate(one, last))) return line;
  if (line.length >= MOST_CERTIFICATES) return undefined;
  for (const issuer of [...search.trusted, ...search.others]) {
    if (!isSame(derOf(issuer.subject), derOf(last.issuer)) || !mayIssue(issuer, line.length - 1)) continue;
    if (line.some((one) => hasSameSubjectAndKey(one, issuer))) continue;
    if (++search.checks > MOST_SIGNATURE_CHECKS)
      throw malformed(`its certificates need more than ${MOST_SIGNATURE_CHECKS} signature checks`);
    if (!(await isIssuedBy(last, issuer))) continue;
    const found = await findLine([...line, issuer], search);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A path through a second certificate of the same issuer proves no more. */
const hasSameSubjectAndKey = (a: Certificate, b: Certificate): boolean =>
  isSame(derOf(a.subjectPublicKeyInfo), derOf(b.subjectPublicKeyInfo)) &&
  isSame(derOf(a.subject), derOf(b.subject));

export const isSameCertificate = (a: Certificate, b: Certificate): boolean =>
  isSame(certificateBytes(a), certificateBytes(b));

const DIGITAL_SIGNATURE = 0x80;
const NON_REPUDIATION = 0x40;
const SIGNS_CERTIFICATES = 0x04;

/** For time stamps only (RFC 3161, section 2.3). */
function checkSigner(signer: Certificate): void {
  const purpose = extension(signer, oid.EXTENDED_KEY_USAGE);
  const purposes = (purpose?.parsedValue as ExtKeyUsage | undefined)?.keyPurposes;
  const usage = keyUsage(signer);
  const fits = purpose?.critical === true && purposes?.length === 1 && purposes[0] === oid.TIME_STAMPING;
  if (!fits || (usage & (DIGITAL_SIGNATURE | NON_REPUDIATION)) === 0 || !isUnderstood(signer))
    throw new TimestampError('unknown', `the certificate of ${nameOf(signer)} is not one for time stamps`);
}

/** @param below the number of issuers below this one */
function mayIssue(issuer: Certificate, below: number): boolean {
  const constraints = extension(issuer, oid.BASIC_CONSTRAINTS)?.parsedValue as BasicConstraints | undefined;
  const longest = constraints?.pathLenConstraint;
  return (
    constraints?.cA === true &&
    (keyUsage(issuer) & SIGNS_CERTIFICATES) !== 0 &&
    (longest === undefined || Number(longest) >= below) &&
    isUnderstood(issuer)
  );
}

const extension = ({ extensions }: Certificate, id: string): Extension | undefined =>
  extensions?.find(({ extnID }) => extnID === id);

/** Without the extension every use is allowed. */
function keyUsage(certificate: Certificate): number {
  const found = extension(certificate, oid.KEY_USAGE);
  return found === undefined ? 0xff : ((found.parsedValue as BitString).valueBlock.valueHexView[0] ?? 0);
}

const KNOWN = [oid.BASIC_CONSTRAINTS, oid.KEY_USAGE, oid.EXTENDED_KEY_USAGE, oid.CERTIFICATE_POLICIES];

/** An unknown critical extension must not be ignored. */
const isUnderstood = ({ extensions }: Certificate): boolean =>
  (extensions ?? []).every(({ critical, extnID }) => !critical || KNOWN.includes(extnID));
