import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from '../platform/secrets/sha256.ts';

export type Scope = 'read' | 'write';

const PREFIX = 'svc_sk_';
const SHAPE = /^svc_sk_([A-Za-z0-9_-]{43})([0-9a-z]{7})$/;

/** The checksum lets secret scanners recognize a key. */
export function makeApiKey(): string {
  const secret = randomBytes(32).toString('base64url');
  return `${PREFIX}${secret}${checksum(secret)}`;
}

export function isApiKey(text: string): boolean {
  const match = SHAPE.exec(text);
  return match !== null && checksum(match[1]!) === match[2];
}

export function hashApiKey(key: string): Buffer {
  return sha256(key);
}

export function apiKeyPrefix(key: string): string {
  return key.slice(0, 12);
}

function checksum(secret: string): string {
  return crc32(secret).toString(36).padStart(7, '0');
}
