// SHA-1 is not accepted, because collisions are known.
export const SIGNED_DATA = '1.2.840.113549.1.7.2';
export const TST_INFO = '1.2.840.113549.1.9.16.1.4';
export const CONTENT_TYPE = '1.2.840.113549.1.9.3';
export const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
export const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
export const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
export const BASIC_CONSTRAINTS = '2.5.29.19';
export const KEY_USAGE = '2.5.29.15';
export const EXTENDED_KEY_USAGE = '2.5.29.37';
export const CERTIFICATE_POLICIES = '2.5.29.32';
export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
export const SHA_256 = '2.16.840.1.101.3.4.2.1';

/** The algorithm of a key, or of a signature without its digest. */
export const RSA = '1.2.840.113549.1.1.1';
export const EC_KEY = '1.2.840.10045.2.1';
/** With the digest behind it. */
export const EC_SIGNATURE = '1.2.840.10045.4.3.';

export const DIGESTS: Readonly<Record<string, { name: string; signatures: readonly string[] }>> = {
  [SHA_256]: { name: 'SHA-256', signatures: [RSA, '1.2.840.113549.1.1.11', '1.2.840.10045.4.3.2'] },
  '2.16.840.1.101.3.4.2.2': {
    name: 'SHA-384',
    signatures: [RSA, '1.2.840.113549.1.1.12', '1.2.840.10045.4.3.3'],
  },
  '2.16.840.1.101.3.4.2.3': {
    name: 'SHA-512',
    signatures: [RSA, '1.2.840.113549.1.1.13', '1.2.840.10045.4.3.4'],
  },
};

export const digestOfSignature = (algorithm: string): string | undefined =>
  algorithm === RSA
    ? undefined
    : Object.values(DIGESTS).find(({ signatures }) => signatures.includes(algorithm))?.name;
