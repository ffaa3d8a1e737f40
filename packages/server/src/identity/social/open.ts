import { readFile } from 'node:fs/promises';
import { parseDateTime } from '@svc/contract';
import { ProviderUnreachable } from '../../platform/outgoing/bounded-fetch.ts';
import type { Config } from '../../settings/config.ts';
import { type Issuer, storableTime } from '../issuer.ts';
import { adminAdapter, identityOf, type SocialAdapter, type SocialIdentity } from './admin-call.ts';
import { auth0, clerk, keycloak, logto, supabase, zitadel } from './dialects.ts';

const DIALECTS = { supabase, keycloak, auth0, logto, zitadel, clerk };

export function openSocialAdapter(config: Config, issuer: Issuer): SocialAdapter {
  const { social, issuer: url } = config.identity;
  if (social.adapter === 'userinfo') {
    return userinfoAdapter(issuer, { handle: social.claim, verifiedAt: social.verifiedClaim });
  }
  return adminAdapter(
    {
      // Checked at startup.
      issuer: url!,
      provider: social.provider!,
      apiUrl: social.apiUrl,
      token: () => adminToken(config),
    },
    DIALECTS[social.adapter],
  );
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

/** Follows OpenID Connect Core 5.3, with the person's own token. */
function userinfoAdapter(issuer: Issuer, names: { handle: string; verifiedAt: string }): SocialAdapter {
  return {
    needsToken: true,
    async read({ subject, token }) {
      const claims = await issuer.userinfo(token!);
      if (claims['sub'] !== subject) throw new ProviderUnreachable('userinfo returned a different subject');
      return identityOf(claims[names.handle], readVerified(claims[names.verifiedAt]));
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
