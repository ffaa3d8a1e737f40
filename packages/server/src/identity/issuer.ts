import type { JWTPayload } from 'jose';

/** Claims of a verified token, or of an answer of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** The fields of a verified session token. */
export interface Session {
  subject: string;
  claims: JWTPayload;
}

/** Signs people in: the OpenID Connect issuer of IDENTITY_ISSUER, or the embedded one. */
export interface Issuer {
  /** identifies an account together with the subject; normalized, so that it does not depend on how the issuer's name is written */
  readonly key: string;
  /** The issuer's own spelling of its name, from its discovery document: accounts are stored under it. @throws ProviderUnreachable */
  name(): Promise<string>;
  /** @throws Failure unauthorized, service_unavailable */
  verify(token: string): Promise<Session>;
  /** Claims about the token's bearer. @throws Failure forbidden, service_unavailable */
  userinfo(token: string): Promise<Claims>;
}
