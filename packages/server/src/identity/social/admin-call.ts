import { escapeUnseenInLine } from '@svc/protocol';
import {
  asObject,
  fetchJson,
  pathSegment,
  ProviderUnreachable,
} from '../../platform/outgoing/bounded-fetch.ts';
import { storableTime } from '../issuer.ts';

export interface AdminAccess {
  issuer: string;
  apiUrl: string | undefined;
  provider: string;
  token(): Promise<string>;
}

export type Json = Record<string, unknown>;

/** Follows the provider's public documentation. */
export interface AdminDialect {
  apiUrl(issuer: string): string;
  path(user: string): string;
  post?: Json;
  headers?(token: string): Record<string, string>;
  /** Reads the body of a 404; a 404 with a different body means a wrong URL. */
  isUnknownUser(body: Json): boolean;
  read(body: unknown, provider: string): SocialIdentity | null;
}

export interface SocialAdapter {
  /** only the person's own token gives access */
  readonly needsToken: boolean;
  read(person: AskedPerson): Promise<SocialIdentity | null>;
}

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

export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => asObject(inner)?.[name], value);

export function objects(value: unknown): Json[] {
  if (!Array.isArray(value))
    throw new ProviderUnreachable("the administrator's API returned an unexpected answer");
  return value.map((item) => asObject(item) ?? {});
}

export function object(value: unknown): Json {
  const found = asObject(value);
  if (!found) throw new ProviderUnreachable("the administrator's API returned an unexpected answer");
  return found;
}

export function linkedAt(value: unknown): SocialIdentity['verified'] {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  const time = storableTime(at);
  return time === undefined ? 'now' : { at: time };
}

export interface SocialIdentity {
  handle: string;
  /** `now` if the provider stores no time */
  verified: 'now' | 'not' | { at: string };
}

export interface AskedPerson {
  subject: string;
  token: string | undefined;
}

const LONGEST_HANDLE = 100;

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
