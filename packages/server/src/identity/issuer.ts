// The interface of an OpenID Connect issuer, embedded or outside.
import type { JWTPayload } from 'jose';
import type { AccountColumns } from './caller.ts';

export type Claims = Readonly<Record<string, unknown>>;

export interface VerifiedToken {
  subject: string;
  claims: JWTPayload;
}

export interface Issuer {
  /** the normalized name, which identifies an account together with the subject */
  readonly key: string;
  /** Returns the issuer's own spelling, which accounts store. @throws ProviderUnreachable */
  name(): Promise<string>;
  verify(token: string): Promise<VerifiedToken>;
  userinfo(token: string): Promise<Claims>;
}

export const issuerKey = (name: string): string =>
  (URL.canParse(name) ? new URL(name).href : name).replace(/\/+$/, '');

export interface Person extends AccountColumns {
  subject: string;
}

export interface People {
  of(session: VerifiedToken, token: string): Promise<Person>;
}

const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

export const storableTime = (milliseconds: number): string | undefined =>
  milliseconds >= FIRST && milliseconds <= LAST ? new Date(milliseconds).toISOString() : undefined;
