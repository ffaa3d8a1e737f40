import { asObject, fetchJson, pathSegment, ProviderUnreachable } from '../../outgoing/bounded-fetch.ts';
import { storableTime } from '../storable-time.ts';
import type { SocialAdapter, SocialIdentity } from './adapter.ts';

/** What an administrator's adapter is told by the settings. */
export interface AdminAccess {
  /** IDENTITY_ISSUER */
  issuer: string;
  /** SOCIAL_API_URL: in place of what follows from the issuer */
  apiUrl: string | undefined;
  /** SOCIAL_PROVIDER: the social provider's name at the identity provider */
  provider: string;
  /** SOCIAL_ADMIN_TOKEN, as it is now */
  token(): Promise<string>;
}

export type Json = Record<string, unknown>;

/** One identity provider's own words, as its public documentation has them. */
export interface AdminDialect {
  /** the root of its administrator's API, where it is by default */
  apiUrl(issuer: string): string;
  /** the path below that root; `user` is ready to stand in a path */
  path(user: string): string;
  /** a POST with this body, in place of a GET */
  post?: Json;
  /** headers beside the bearer token */
  headers?(token: string): Record<string, string>;
  /** Does this body of a 404 say that the user is not there? (Another 404 means that we asked at the wrong place.) */
  isUnknownUser(body: Json): boolean;
  /** The identity at the named provider, out of the answer. */
  read(body: unknown, provider: string): SocialIdentity | null;
}

/** Asks as an administrator: API keys will do, for nobody's own token is needed. */
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
        throw new ProviderUnreachable(`SOCIAL_ADMIN_TOKEN is refused (${status})`);
      if (status !== 200) throw new ProviderUnreachable(`the administrator's API answered ${status}`);
      return dialect.read(body, access.provider);
    },
  };
}

/** The object at a path of names, or undefined. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, name) => asObject(inner)?.[name], value);
}

/** An array of objects. @throws ProviderUnreachable when the answer is not as documented */
export function objects(value: unknown): Json[] {
  if (!Array.isArray(value)) throw new ProviderUnreachable("the administrator's API answers another form");
  return value.map((item) => asObject(item) ?? {});
}

/** An object. @throws ProviderUnreachable when the answer is not as documented */
export function object(value: unknown): Json {
  const found = asObject(value);
  if (!found) throw new ProviderUnreachable("the administrator's API answers another form");
  return found;
}

/** When the provider noted the link: as a time, or milliseconds since 1970. */
export function linkedAt(value: unknown): SocialIdentity['verified'] {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  const time = storableTime(at);
  return time === undefined ? 'now' : { at: time };
}
