import { createPeople } from '../accounts/people.ts';
import { createSocialSync, type SocialSync } from '../accounts/social-sync.ts';
import type { Clock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import type { Sessions } from '../identity/authenticate.ts';
import { CLI_CLIENT, createEmbeddedIssuer, type EmbeddedIssuer } from '../identity/embedded/issuer.ts';
import type { Issuer } from '../identity/issuer.ts';
import { createOutsideIssuer, loadMetadata } from '../identity/outside-issuer.ts';
import { openSocialAdapter } from '../identity/social/open.ts';
import { openWebSignIn, type WebSignIn } from '../identity/web-session/open.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import type { Config } from '../settings/config.ts';

export interface IdentityDependencies {
  config: Config;
  baseUrl: string;
  db: Db;
  clock: Clock;
  keyring: Keyring;
  log: { info(message: string): void; warn(details: object, message: string): void };
}

export interface Identity {
  sessions: Sessions | undefined;
  embedded: EmbeddedIssuer | undefined;
  social: SocialSync;
  /** undefined without IDENTITY_ISSUER. @throws ProviderUnreachable */
  reachIssuer?: (() => Promise<void>) | undefined;
  web: WebSignIn;
}

export function openIdentity(dependencies: IdentityDependencies): Identity {
  const { config, baseUrl, db, clock, keyring, log } = dependencies;
  const { identity } = config;
  const audience = identity.audience ?? baseUrl;
  const opened = (issuer: Issuer | undefined, embedded?: EmbeddedIssuer): Identity => {
    const sessions = issuer && {
      issuer,
      people: createPeople({ db, clock, issuer, socialClaim: identity.social.claim }),
    };
    return {
      sessions,
      embedded,
      web: openWebSignIn(dependencies, sessions && { ...sessions, embedded }),
      social: createSocialSync({
        db,
        clock,
        log,
        provider: issuer && { adapter: openSocialAdapter(config, issuer), issuer },
      }),
    };
  };

  if (identity.issuer !== undefined) {
    const clients = [identity.clientId ?? identity.cliClientId, identity.cliClientId];
    const issuer = createOutsideIssuer({ url: identity.issuer, audience, clients, baseUrl, log });
    // Logs a wrong setting before the first sign-in.
    void issuer.prepare();
    const { issuer: url } = identity;
    return { ...opened(issuer), reachIssuer: async () => void (await loadMetadata(url)) };
  }
  if (identity.embedded) {
    const embedded = createEmbeddedIssuer({ baseUrl, audience, db, keyring });
    log.warn(
      { issuer: embedded.url },
      'embedded identity provider: people sign in without a password; set IDENTITY_ISSUER to a real provider',
    );
    return opened(embedded, embedded);
  }
  log.warn(
    {},
    `people cannot sign in, agents can: set IDENTITY_ISSUER to an OpenID Connect issuer (${whyOff(config)})`,
  );
  return opened(undefined);
}

export function programSignIn({ identity }: Config, baseUrl: string, embedded: EmbeddedIssuer | undefined) {
  const { issuer, audience = baseUrl, cliClientId, scopes } = identity;
  if (issuer !== undefined) return { issuer, client_id: cliClientId, resource: audience, scope: scopes };
  return embedded
    ? { issuer: embedded.url, client_id: CLI_CLIENT.id, resource: baseUrl, scope: CLI_CLIENT.scopes }
    : null;
}

function whyOff({ production, loopback }: Config): string {
  const because = production
    ? 'NODE_ENV is production'
    : loopback
      ? 'IDENTITY_EMBEDDED is false'
      : 'HOST or BASE_URL is not loopback';
  return `the embedded identity provider is off because ${because}; IDENTITY_EMBEDDED=true enables it, for trials only`;
}
