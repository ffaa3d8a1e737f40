import type { Site } from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { badField, Failure } from '../../platform/failure.ts';
import { bearerToken } from '../../identity/authenticate.ts';
import { clientIds } from '../../identity/embedded/foreign-clients.ts';
import { EMBEDDED_PATH, type EmbeddedIssuer } from '../../identity/embedded/issuer.ts';
import { createProvider } from '../../identity/embedded/provider.ts';
import type { Claims } from '../../identity/issuer.ts';
import { asObject } from '../../platform/outgoing/bounded-fetch.ts';
import type { GuardedOptions } from '../../platform/outgoing/guarded-request.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { addressKey } from '../address.ts';
import { sendError } from '../errors.ts';
import type { RateLimiter } from '../rate-limits.ts';
import { requireOwnOrigin } from './own-origin.ts';
import { issuerPages } from './issuer-pages.ts';
import { mountProvider } from './provider-bridge.ts';
import { mountRegistration, REGISTRATION_PATH } from './registration.ts';
import { mountSignIn } from './sign-in.ts';

export interface IdentityRoutes {
  baseUrl: string;
  loopback: boolean;
  embedded: EmbeddedIssuer | undefined;
  keyring: Keyring;
  log: { error(details: object, message: string): void };
  clientMeter: RateLimiter;
  guard: GuardedOptions;
  site: (request?: FastifyRequest) => Site;
}

export function mountIdentity(app: FastifyInstance, parts: IdentityRoutes): void {
  const { baseUrl, loopback, embedded, keyring, log, clientMeter, guard } = parts;
  const pages = issuerPages(parts.site);
  void app.register(
    async (scope) => {
      scope.setErrorHandler(sendError);
      if (!embedded) {
        scope.all('/*', async () => {
          throw new Failure(
            'not_found',
            'the embedded identity provider is off: sign in with the one that IDENTITY_ISSUER names',
          );
        });
        return;
      }
      scope.addHook('onRequest', requireOwnOrigin(baseUrl, loopback));
      mountDevToken(scope, embedded);
      mountUserinfo(scope, embedded);
      const ids = clientIds(keyring);
      mountRegistration(scope, ids, clientMeter);
      let loaded: Promise<Provider> | undefined;
      const provider = (): Promise<Provider> =>
        (loaded ??= createProvider({
          ...{ issuer: embedded, baseUrl, keyring, log, problem: pages.problem },
          ...{ ids, registrationUrl: embedded.url + REGISTRATION_PATH, guard },
          count: (address) => clientMeter.take(addressKey(address)),
        }));
      mountSignIn(scope, { embedded, provider, pages, ids });
      mountProvider(scope, { baseUrl, provider });
    },
    { prefix: EMBEDDED_PATH },
  );
}

/** Gives a session token to a person that a script names (docs/decisions/0014-embedded-parts.md). */
function mountDevToken(scope: FastifyInstance, embedded: EmbeddedIssuer): void {
  scope.post('/dev-token', async (request, reply) => {
    const said = asObject(request.body);
    if (!said) throw badField('body', 'must be a JSON object with `username`');
    void reply.header('Cache-Control', 'no-store');
    return { access_token: await embedded.devToken(said) };
  });
}

/** Accepts API tokens too, because the `userinfo` adapter has no other token. */
function mountUserinfo(scope: FastifyInstance, embedded: EmbeddedIssuer): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<Claims> => {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) throw new Failure('unauthorized', 'send `Authorization: Bearer <access token>`');
    void reply.header('Cache-Control', 'no-store');
    return embedded.userinfo(token);
  };
  scope.get('/userinfo', answer);
  scope.post('/userinfo', answer);
}
