import type { JWTPayload } from 'jose';

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
