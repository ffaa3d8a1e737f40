import type { FastifyInstance } from 'fastify';
import { Failure } from '../../failure.ts';
import { EMBEDDED_PATH, type EmbeddedIssuer } from '../../identity/embedded/issuer.ts';
import type { SaidOfPerson } from '../../identity/embedded/person.ts';
import { asObject } from '../../identity/bounded-fetch.ts';
import { badField } from '../../failure.ts';
import { sendError } from '../errors.ts';
import { requireOwnOrigin } from './own-origin.ts';

export interface IdentityRoutes {
  baseUrl: string;
  loopback: boolean;
  /** undefined: it is off */
  embedded: EmbeddedIssuer | undefined;
}

/** `/identity`: the embedded issuer, or a word on why it is not there. */
export function mountIdentity(app: FastifyInstance, { baseUrl, loopback, embedded }: IdentityRoutes): void {
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
    },
    { prefix: EMBEDDED_PATH },
  );
}

/** `POST /identity/dev-token`: a session token for whoever a script says it is (DECISIONS.md §1). */
function mountDevToken(scope: FastifyInstance, embedded: EmbeddedIssuer): void {
  scope.post('/dev-token', async (request, reply) => {
    const said = asObject(request.body);
    if (!said) throw badField('body', 'must be a JSON object with `username`');
    void reply.header('Cache-Control', 'no-store');
    return { access_token: await embedded.devToken(said as SaidOfPerson) };
  });
}
