import type { JWTPayload } from 'jose';

/** Verified. */
export type Claims = Readonly<Record<string, unknown>>;

export interface Session {
  subject: string;
  claims: JWTPayload;
}

/** IDENTITY_ISSUER, or the embedded one. */
export interface Issuer {
  /** normalized; identifies an account together with the subject */
  readonly key: string;
  /** The issuer's own spelling; accounts are stored under it. @throws ProviderUnreachable */
  name(): Promise<string>;
  /** @throws Failure unauthorized, service_unavailable */
  verify(token: string): Promise<Session>;
  /** @throws Failure forbidden, service_unavailable */
  userinfo(token: string): Promise<Claims>;
}
