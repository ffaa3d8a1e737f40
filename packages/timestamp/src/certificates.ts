import { escapeInvisibleInLine } from '@svc/protocol';
import { Certificate } from 'pkijs';
import { copyOf, derOf } from './bytes.ts';
import { checkDer } from './der.ts';
import { malformed } from './timestamp-error.ts';

export type TrustedCertificates = readonly Certificate[];

export const MOST_CERTIFICATES = 8;

const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;

/**
 * @throws {TimestampError} without a certificate, or on a malformed one
 * @example
 * readCertificates(pem).length; // 1
 */
export function readCertificates(pem: string): TrustedCertificates {
  const blocks = [...pem.matchAll(BLOCK)].map(([, base64]) => base64!.replace(/\s+/g, ''));
  if (blocks.length === 0)
    throw malformed('there is no certificate in it (PEM: -----BEGIN CERTIFICATE-----)');
  return blocks.map((base64) => {
    try {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      checkDer(bytes);
      return Certificate.fromBER(copyOf(bytes));
    } catch {
      throw malformed('one of its certificates cannot be read');
    }
  });
}

const known = new WeakMap<Certificate, Uint8Array<ArrayBuffer>>();

export function certificateBytes(certificate: Certificate): Uint8Array<ArrayBuffer> {
  let bytes = known.get(certificate);
  if (bytes === undefined) known.set(certificate, (bytes = derOf(certificate)));
  return bytes;
}

const ATTRIBUTES: Readonly<Record<string, string>> = { '2.5.4.3': 'CN', '2.5.4.10': 'O', '2.5.4.6': 'C' };

/** The name is a foreign text, so invisible characters are escaped. */
export function nameOf({ subject }: Certificate): string {
  const parts = subject.typesAndValues
    .filter(({ type }) => type in ATTRIBUTES)
    .map(
      ({ type, value }) =>
        `${ATTRIBUTES[type]}=${(value as { valueBlock: { value: string } }).valueBlock.value}`,
    );
  return escapeInvisibleInLine(parts.join(', ')) || 'an unnamed signer';
}
