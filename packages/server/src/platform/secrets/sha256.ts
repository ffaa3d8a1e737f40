import { hash } from 'node:crypto';

export const sha256 = (data: Uint8Array | string): Buffer =>
  Buffer.from(hash('sha256', data, 'binary'), 'binary');
