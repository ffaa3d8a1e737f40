import { hash } from 'node:crypto';

/** Node's SHA-256. Through a binary string it takes half the time of bytes, and a seventh of JavaScript's. */
export const sha256 = (data: Uint8Array): Uint8Array => Buffer.from(hash('sha256', data, 'binary'), 'binary');
