import type { Config } from '../../config.ts';
import type { Issuer } from '../issuer.ts';
import type { SocialAdapter } from './adapter.ts';
import { userinfoAdapter } from './userinfo.ts';

/** The adapter that SOCIAL_ADAPTER names. */
export function openSocialAdapter(config: Config, issuer: Issuer): SocialAdapter {
  const { social } = config.identity;
  return userinfoAdapter(issuer, { handle: social.claim, verifiedAt: social.verifiedClaim });
}
