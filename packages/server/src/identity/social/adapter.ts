import { escapeUnseenInLine } from '@svc/protocol';
import { ProviderUnreachable } from '../../outgoing/bounded-fetch.ts';

/** A social account that is linked to a person at the identity provider. */
export interface SocialIdentity {
  handle: string;
  /** `now` if the provider stores no time */
  verified: 'now' | 'not' | { at: string };
}

export interface AskedPerson {
  /** the person's subject at the identity provider */
  subject: string;
  /** the person's session token, if the request carried one */
  token: string | undefined;
}

/** Reads the social identity from one kind of identity provider (SOCIAL_ADAPTER). */
export interface SocialAdapter {
  /** whether only the person's own token gives access */
  readonly needsToken: boolean;
  /** Null when none is linked now. @throws Failure forbidden, ProviderUnreachable */
  read(person: AskedPerson): Promise<SocialIdentity | null>;
}

const LONGEST_HANDLE = 100;

/** The handle without its `@`; null when there is none. @throws ProviderUnreachable */
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
