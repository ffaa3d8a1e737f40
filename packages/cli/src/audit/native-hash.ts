import { hash } from 'node:crypto';

/** A binary string takes half the time of bytes. */
export const sha256 = (data: Uint8Array): Uint8Array => Buffer.from(hash('sha256', data, 'binary'), 'binary');
