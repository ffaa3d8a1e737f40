import { escapeUnseenInLine } from '@svc/protocol';
import { ProviderUnreachable } from '../../platform/outgoing/bounded-fetch.ts';

export interface SocialIdentity {
  handle: string;
  /** `now` if the provider stores no time */
  verified: 'now' | 'not' | { at: string };
}

export interface AskedPerson {
  subject: string;
  token: string | undefined;
}

export interface SocialAdapter {
  /** only the person's own token gives access */
  readonly needsToken: boolean;
  read(person: AskedPerson): Promise<SocialIdentity | null>;
}

const LONGEST_HANDLE = 100;

function readHandle(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const handle = typeof value === 'string' ? value.trim().replace(/^@/, '') : undefined;
  if (handle === '') return null;
  if (handle === undefined || [...handle].length > LONGEST_HANDLE || escapeUnseenInLine(handle) !== handle)
    throw new ProviderUnreachable('the social handle is not a name');
  return handle;
}

export function identityOf(handle: unknown, verified: SocialIdentity['verified']): SocialIdentity | null {
  const name = readHandle(handle);
  return name === null ? null : { handle: name, verified };
}
