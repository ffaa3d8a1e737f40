import type { JWTPayload } from 'jose';
import type { AuthorColumns } from './caller.ts';

export type Claims = Readonly<Record<string, unknown>>;

export interface Session {
  subject: string;
  claims: JWTPayload;
}

export interface Issuer {
  /** the normalized name, which identifies an account together with the subject */
  readonly key: string;
  /** Returns the issuer's own spelling, which accounts store. @throws ProviderUnreachable */
  name(): Promise<string>;
  verify(token: string): Promise<Session>;
  userinfo(token: string): Promise<Claims>;
}

export const issuerKey = (name: string): string =>
  (URL.canParse(name) ? new URL(name).href : name).replace(/\/+$/, '');

export interface Person extends AuthorColumns {
  subject: string;
  suspended_for: string | null;
  user_id: string;
}

export interface People {
  of(session: Session, token: string): Promise<Person>;
}
