import { parseDateTime } from '@svc/contract';
import { escapeUnseenInLine } from '@svc/protocol';
import { badField } from '../../platform/failure.ts';
import { storableTime } from '../storable-time.ts';
import type { EmbeddedPerson } from './store.ts';

const NAME_MAX = 64;
const HANDLE_MAX = 64;

export interface SaidOfPerson {
  username?: unknown;
  social_handle?: unknown;
  social_verified_at?: unknown;
}

/** Letter case does not distinguish names. */
export function readPerson(said: SaidOfPerson): EmbeddedPerson {
  const handle = said.social_handle ?? null;
  const verifiedAt = said.social_verified_at ?? null;
  if (verifiedAt !== null && handle === null)
    throw badField('social_verified_at', 'requires `social_handle`');
  const typed = readText('username', said.username, NAME_MAX);
  return {
    name: typed.toLowerCase(),
    typed,
    social_handle: handle === null ? null : readText('social_handle', handle, HANDLE_MAX),
    social_verified_at: verifiedAt === null ? null : readTime(verifiedAt),
  };
}

function readText(field: string, value: unknown, most: number): string {
  const text = typeof value === 'string' ? value.normalize('NFC').trim() : '';
  if (text === '' || [...text].length > most || escapeUnseenInLine(text) !== text)
    throw badField(field, `must be text of 1 to ${most} characters`);
  return text;
}

function readTime(value: unknown): string {
  const read = typeof value === 'string' ? parseDateTime(value) : null;
  const time = read === null ? undefined : storableTime(Date.parse(read));
  if (time === undefined)
    throw badField('social_verified_at', 'must be an RFC 3339 time with an offset or Z, from the year 1 on');
  return time;
}
