import { parseDateTime } from '@svc/contract';
import { ProviderUnreachable } from '../../platform/outgoing/bounded-fetch.ts';
import type { Issuer } from '../issuer.ts';
import { storableTime } from '../storable-time.ts';
import { identityOf, type SocialAdapter, type SocialIdentity } from './adapter.ts';

export interface SocialClaims {
  handle: string;
  verifiedAt: string;
}

/** Follows OpenID Connect Core 5.3, with the person's own token. */
export function userinfoAdapter(issuer: Issuer, names: SocialClaims): SocialAdapter {
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

function parseTime(value: unknown): number {
  return Date.parse((typeof value === 'string' && parseDateTime(value)) || 'not a time');
}
