export * from './check-ots.ts';
export type { BitcoinHeader, HeaderSource } from './headers.ts';
export type { Attestation, Timestamp } from './proof.ts';
export { TimestampError } from '../timestamp-error.ts';
export { completeProof, stampDigest } from './calendar.ts';
export { exportOts } from './export-ots.ts';
export { withoutPendingCalendars, isPending, readOts, writeOts } from './file.ts';
export { givenHeaders, noHeaders, readHeader, rpcHeaders } from './headers.ts';
export { attestationsOf, mergeInto } from './proof.ts';
