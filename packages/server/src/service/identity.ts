import { createPeople } from '../accounts/people.ts';
import { createSocialSync } from '../accounts/social-sync.ts';
import { CLI_CLIENT, createEmbeddedIssuer, type EmbeddedIssuer } from '../identity/embedded/issuer.ts';
import type { Issuer } from '../identity/issuer.ts';
import { createOutsideIssuer, loadMetadata } from '../identity/outside-issuer.ts';
import { openSocialAdapter } from '../identity/social/open.ts';
import { openWebSignIn } from '../identity/web-session/open.ts';
import type { Config } from '../settings/config.ts';
import { createAuthenticator } from '../identity/authenticate.ts';
import type { ServiceDependencies } from './dependencies.ts';
import type { ProgramSignIn } from '../http/parts.ts';

export function openIdentity(dependencies: ServiceDependencies) {
  const { config, baseUrl, db, clock, keyring, log } = dependencies;
  const { identity } = config;
  const audience = identity.audience ?? baseUrl;
  const opened = (issuer?: Issuer, embedded?: EmbeddedIssuer, reachIssuer?: () => Promise<void>) => {
    const sessions = issuer && {
      issuer,
      people: createPeople({ db, clock, issuer, socialClaim: identity.social.claim }),
    };
    return {
      authenticator: createAuthenticator(db, sessions),
      embedded,
      /** undefined without IDENTITY_ISSUER. @throws ProviderUnreachable */
      reachIssuer,
      program: programSignIn(config, baseUrl, embedded),
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
    return opened(issuer, undefined, async () => void (await loadMetadata(url)));
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
  return opened();
}

function programSignIn(
  { identity }: Config,
  baseUrl: string,
  embedded?: EmbeddedIssuer,
): ProgramSignIn | null {
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
