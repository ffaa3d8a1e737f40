import { asObject, fetchJson, pathSegment, ProviderUnreachable } from '../../outgoing/bounded-fetch.ts';
import { storableTime } from '../storable-time.ts';
import type { SocialAdapter, SocialIdentity } from './adapter.ts';

/** Settings of an administrator's adapter. */
export interface AdminAccess {
  /** IDENTITY_ISSUER */
  issuer: string;
  /** SOCIAL_API_URL, which replaces the URL derived from the issuer */
  apiUrl: string | undefined;
  /** SOCIAL_PROVIDER: the social provider's name at the identity provider */
  provider: string;
  /** the current SOCIAL_ADMIN_TOKEN */
  token(): Promise<string>;
}

export type Json = Record<string, unknown>;

/** The API of one identity provider, from its public documentation. */
export interface AdminDialect {
  /** the default root of its administrator's API */
  apiUrl(issuer: string): string;
  /** the path below that root; `user` is already percent-encoded */
  path(user: string): string;
  /** the body, if the call is a POST and not a GET */
  post?: Json;
  /** headers in addition to the bearer token */
  headers?(token: string): Record<string, string>;
  /** Recognizes the 404 body of an unknown user. Another 404 means a wrong URL. */
  isUnknownUser(body: Json): boolean;
  /** The identity at the named provider, from the answer. */
  read(body: unknown, provider: string): SocialIdentity | null;
}

/** Reads as an administrator, so a request with an API key works too. */
export function adminAdapter(access: AdminAccess, dialect: AdminDialect): SocialAdapter {
  const root = access.apiUrl ?? dialect.apiUrl(access.issuer.replace(/\/+$/, ''));
  return {
    needsToken: false,
    async read({ subject }) {
      const token = await access.token();
      const { status, body } = await fetchJson(root + dialect.path(pathSegment(subject)), {
        headers: {
          authorization: `Bearer ${token}`,
          ...(dialect.post && { 'content-type': 'application/json' }),
          ...dialect.headers?.(token),
        },
        ...(dialect.post && { method: 'POST', body: JSON.stringify(dialect.post) }),
      });
      if (status === 404 && dialect.isUnknownUser(asObject(body) ?? {})) return null;
      if (status === 401 || status === 403)
        throw new ProviderUnreachable(`SOCIAL_ADMIN_TOKEN was rejected (${status})`);
      if (status !== 200) throw new ProviderUnreachable(`the administrator's API answered ${status}`);
      return dialect.read(body, access.provider);
    },
  };
}

export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, name) => asObject(inner)?.[name], value);
}

/** An array of objects. @throws ProviderUnreachable when the answer is not as documented */
export function objects(value: unknown): Json[] {
  if (!Array.isArray(value))
    throw new ProviderUnreachable("the administrator's API returned an unexpected answer");
  return value.map((item) => asObject(item) ?? {});
}

/** An object. @throws ProviderUnreachable when the answer is not as documented */
export function object(value: unknown): Json {
  const found = asObject(value);
  if (!found) throw new ProviderUnreachable("the administrator's API returned an unexpected answer");
  return found;
}

/** The provider's time of the link, from a time or milliseconds since 1970. */
export function linkedAt(value: unknown): SocialIdentity['verified'] {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  const time = storableTime(at);
  return time === undefined ? 'now' : { at: time };
}
