import { escapeUnseenInLine } from '@svc/protocol';
import { ProviderUnreachable } from '../../outgoing/bounded-fetch.ts';

/** A social account that the identity provider holds for a person. */
export interface SocialIdentity {
  handle: string;
  /** `now` where the provider keeps no time */
  verified: 'now' | 'not' | { at: string };
}

/** Whose social identity is asked for. */
export interface AskedPerson {
  /** who the identity provider knows the person as */
  subject: string;
  /** the person's own session token, if that is how the request came */
  token: string | undefined;
}

/** How one identity provider is asked for the social identity it holds (SOCIAL_ADAPTER). */
export interface SocialAdapter {
  /** only the person's own token opens it */
  readonly needsToken: boolean;
  /** Null when there is none, or none any more. @throws Failure forbidden, ProviderUnreachable */
  read(person: AskedPerson): Promise<SocialIdentity | null>;
}

const LONGEST_HANDLE = 100;

/** A handle as the account shows it, without its `@`; null when there is none. @throws ProviderUnreachable */
function readHandle(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const handle = typeof value === 'string' ? value.trim().replace(/^@/, '') : undefined;
  if (handle === '') return null;
  if (handle === undefined || [...handle].length > LONGEST_HANDLE || escapeUnseenInLine(handle) !== handle)
    throw new ProviderUnreachable('the social handle is not a name');
  return handle;
}

/** The identity of a handle, if there is one. */
export function identityOf(handle: unknown, verified: SocialIdentity['verified']): SocialIdentity | null {
  const name = readHandle(handle);
  return name === null ? null : { handle: name, verified };
}
