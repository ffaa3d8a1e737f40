import { hash } from 'node:crypto';

/** A `binary` string takes a sixth of the time of a hash object. */
export const sha256 = (data: Uint8Array | string): Buffer =>
  Buffer.from(hash('sha256', data, 'binary'), 'binary');
