import { readFile } from 'node:fs/promises';
import { parseDateTime } from '@svc/contract';
import { escapeInvisibleInLine } from '@svc/protocol';
import {
  asObject,
  fetchJson,
  pathSegment,
  ProviderUnreachable,
} from '../../platform/outgoing/bounded-fetch.ts';
import type { Config } from '../../settings/config.ts';
import { type Issuer, storableTime } from '../issuer.ts';
import { at, type Dialect, DIALECTS } from './dialects.ts';

export interface SocialIdentity {
  handle: string;
  /** `now` if the provider stores no time */
  verified: 'now' | 'not' | { at: string };
}

export interface AskedPerson {
  subject: string;
  token: string | undefined;
}

export interface SocialAdapter {
  /** only the person's own token gives access */
  readonly needsToken: boolean;
  read(person: AskedPerson): Promise<SocialIdentity | null>;
}

export function openSocialAdapter(config: Config, issuer: Issuer): SocialAdapter {
  const { adapter } = config.identity.social;
  return adapter === 'userinfo' ? userinfoAdapter(config, issuer) : adminAdapter(config, DIALECTS[adapter]);
}

function adminAdapter(config: Config, dialect: Dialect): SocialAdapter {
  const { social, issuer } = config.identity;
  // Checked at startup.
  const root = social.apiUrl ?? dialect.apiUrl(issuer!.replace(/\/+$/, ''));
  return {
    needsToken: false,
    async read({ subject }) {
      const token = await adminToken(config);
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
      const found = dialect.find(body, social.provider!);
      return found === undefined || found === null
        ? null
        : identityOf(dialect.handle(found), dialect.linkedAt ? linkedAt(at(found, dialect.linkedAt)) : 'now');
    },
  };
}

/** The token may be short-lived, so each call reads the file. */
async function adminToken({ identity, secrets }: Config): Promise<string> {
  const { adminTokenFile } = identity.social;
  if (adminTokenFile === undefined) return secrets.socialAdminToken!;
  try {
    return (await readFile(adminTokenFile, 'utf8')).trim();
  } catch (error) {
    throw new ProviderUnreachable('SOCIAL_ADMIN_TOKEN_FILE cannot be read', { cause: error });
  }
}

function linkedAt(value: unknown): SocialIdentity['verified'] {
  const time = storableTime(
    typeof value === 'number' ? value : Date.parse(typeof value === 'string' ? value : ''),
  );
  return time === undefined ? 'now' : { at: time };
}

/** Follows OpenID Connect Core 5.3, with the person's own token. */
function userinfoAdapter({ identity: { social } }: Config, issuer: Issuer): SocialAdapter {
  return {
    needsToken: true,
    async read({ subject, token }) {
      const claims = await issuer.userinfo(token!);
      if (claims['sub'] !== subject) throw new ProviderUnreachable('userinfo returned a different subject');
      return identityOf(claims[social.claim], readVerified(claims[social.verifiedClaim]));
    },
  };
}

/** Only `false` means unverified; without a time, the verification counts from now (docs/operating/settings.md). */
function readVerified(value: unknown): SocialIdentity['verified'] {
  if (value === undefined || value === null || value === true) return 'now';
  if (value === false) return 'not';
  const at = typeof value === 'number' ? value * 1000 : parseTime(value);
  const time = storableTime(at);
  if (time === undefined) throw new ProviderUnreachable('the time of verification is not a time');
  return { at: time };
}

const parseTime = (value: unknown): number =>
  Date.parse((typeof value === 'string' && parseDateTime(value)) || 'not a time');

const LONGEST_HANDLE = 100;

function identityOf(value: unknown, verified: SocialIdentity['verified']): SocialIdentity | null {
  if (value === undefined || value === null) return null;
  const handle = typeof value === 'string' ? value.trim().replace(/^@/, '') : undefined;
  if (handle === '') return null;
  if (handle === undefined || [...handle].length > LONGEST_HANDLE || escapeInvisibleInLine(handle) !== handle)
    throw new ProviderUnreachable('the social handle is not a name');
  return { handle, verified };
}
