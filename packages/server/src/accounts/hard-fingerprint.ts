import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { createSlots } from '../platform/flow/slots.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';

/**
 * Protects erased texts with salted scrypt (RFC 7914) of the fast fingerprint: each guess costs 32 MiB and some 100
 * ms, even with SECRET_KEYS.
 * Format: 1 byte version, 16 bytes salt, 32 bytes hash.
 */
const VERSION = 1;
const SALT = 16;
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

export function isHard(fingerprint: Uint8Array): boolean {
  return fingerprint.length === 1 + SALT + 32 && fingerprint[0] === VERSION;
}

export async function harden(fingerprint: Uint8Array): Promise<Buffer> {
  const salt = randomBytes(SALT);
  return Buffer.concat([Buffer.from([VERSION]), salt, await slow(fingerprint, salt)]);
}

export async function verifyHard(keyring: Keyring, request: string, hard: Uint8Array): Promise<boolean> {
  const salt = hard.subarray(1, 1 + SALT);
  const made = await Promise.all(
    keyring.macs('fingerprint', request).map((fingerprint) => slow(fingerprint, salt)),
  );
  return made.some((one) => timingSafeEqual(one, hard.subarray(1 + SALT)));
}

/** Two slots use 64 MiB and leave libuv's other threads to files and DNS. */
const slots = createSlots({ slots: 2, queue: 256, patience: 30_000, what: 'requests about erased texts' });

function slow(fingerprint: Uint8Array, salt: Uint8Array): Promise<Buffer> {
  return slots.run(
    () =>
      new Promise((resolve, reject) =>
        scrypt(fingerprint, salt, 32, COST, (error, key) => (error ? reject(error) : resolve(key))),
      ),
  );
}
