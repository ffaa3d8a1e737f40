import type { JWTPayload } from 'jose';

/** Claims of a verified token, or of an answer of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** Who a session token speaks for. */
export interface Session {
  subject: string;
  claims: JWTPayload;
}

/** Whoever signs people in: an OpenID Connect issuer of the operator's choice, or the embedded one. */
export interface Issuer {
  /** with the subject, what an account is keyed by: the same however the issuer's name is written */
  readonly key: string;
  /** The key as the issuer spells it itself, once it has told: accounts are made under it. @throws ProviderUnreachable */
  name(): Promise<string>;
  /** @throws Failure unauthorized, service_unavailable */
  verify(token: string): Promise<Session>;
  /** What the issuer says of the token's bearer. @throws Failure forbidden, service_unavailable */
  userinfo(token: string): Promise<Claims>;
}
