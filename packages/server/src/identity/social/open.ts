import { readFile } from 'node:fs/promises';
import { ProviderUnreachable } from '../../platform/outgoing/bounded-fetch.ts';
import type { Config } from '../../settings/config.ts';
import type { Issuer } from '../issuer.ts';
import type { SocialAdapter } from './adapter.ts';
import { adminAdapter } from './admin-call.ts';
import { auth0 } from './auth0.ts';
import { clerk } from './clerk.ts';
import { keycloak } from './keycloak.ts';
import { logto } from './logto.ts';
import { supabase } from './supabase.ts';
import { userinfoAdapter } from './userinfo.ts';
import { zitadel } from './zitadel.ts';

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
