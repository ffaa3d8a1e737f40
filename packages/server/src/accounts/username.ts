import { DISPLAY_NAME_MAX, impersonatingMark } from '@svc/contract';
import { replaceInvisible } from '@svc/protocol';
import { randomBytes } from 'node:crypto';
import { badField } from '../platform/failure.ts';

const LONGEST = 30;
const SHORTEST = 3;

/** Yields the best name first, without end (docs/specification.md#account), and no part of an e-mail address. */
export function* usernamesFor(preferred: unknown, handle: unknown): Generator<string, never> {
  const base = baseOf(preferred) ?? baseOf(handle);
  if (base !== undefined) {
    yield base;
    for (let number = 2; number < 100; number++) yield withSuffix(base, String(number));
    for (let round = 0; round < 100; round++) yield withSuffix(base, String(randomBytes(4).readUInt32BE()));
  }
  for (;;) yield `user_${randomBytes(6).toString('hex')}`;
}

function baseOf(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const bare = name.trim().replace(/^@/, '');
  if (bare.includes('@') || bare.length > 256) return undefined;
  const plain = bare
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '');
  if (plain === '') return undefined;
  const base = plain.length < SHORTEST || plain.startsWith('agent_') ? `user_${plain}` : plain;
  return base.slice(0, LONGEST);
}

const withSuffix = (base: string, suffix: string): string => base.slice(0, LONGEST - suffix.length) + suffix;

/** Uses only the username's claim, because a full name may be private. */
export function displayNameFor(preferred: unknown, username: string): string {
  if (typeof preferred !== 'string') return username;
  const typed = replaceInvisible(preferred.normalize('NFC'), () => '')
    .replace(/\p{Co}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^@/, '');
  const isToo = typed === '' || typed.includes('@') || [...typed].length > DISPLAY_NAME_MAX;
  return isToo || impersonatingMark(typed) !== undefined ? username : typed;
}

/** @throws Failure bad_request when a part of the name could look like a mark of this service */
export function refuseImpersonation(displayName: string): void {
  const mark = impersonatingMark(displayName);
  if (mark === undefined) return;
  throw badField(
    'display_name',
    `must not contain “${mark}”, which readers would take for this service's own word: choose the name without it`,
  );
}
