export type { AuthorityOptions, Stamped } from './ask-authority.ts';
export type { TrustedCertificates } from './certificates.ts';
export type { TimestampFault } from './timestamp-error.ts';
export * from './verify-token.ts';
export * from './check-witnesses.ts';
export { askAuthority } from './ask-authority.ts';
export { readCertificates } from './certificates.ts';
export { TimestampError } from './timestamp-error.ts';
