import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The issuer of the access tokens that this service accepts. */
export interface AuthorizationServer {
  issuer: string;
  scope: string;
}

interface Options {
  baseUrl: string;
  /** null: only API keys are accepted */
  identity: AuthorizationServer | null;
}

const PATH = '/.well-known/oauth-protected-resource/mcp';

/**
 * Tells a client without a token where to get one for `/mcp` (RFC 9728). The tokens are those of the API, with the audience
 * `IDENTITY_AUDIENCE`.
 */
export function mountResourceMetadata(app: FastifyInstance, { baseUrl, identity }: Options): void {
  const metadata = {
    resource: `${baseUrl}/mcp`,
    resource_name: 'Commitment service',
    resource_documentation: `${baseUrl}/docs/agents.md`,
    bearer_methods_supported: ['header'],
    ...(identity && {
      authorization_servers: [identity.issuer],
      scopes_supported: identity.scope.split(' '),
    }),
  };
  app.get(PATH, async (_request, reply) => {
    void reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'no-cache');
    return metadata;
  });
}

/** The `WWW-Authenticate` value of a 401: where to get a token, and whether the sent one was wrong. */
export function challenge(
  baseUrl: string,
  identity: AuthorizationServer | null,
  { headers }: FastifyRequest,
): string {
  const parts = [
    ...(headers.authorization === undefined ? [] : ['error="invalid_token"']),
    `resource_metadata="${baseUrl}${PATH}"`,
    ...(identity && headers.authorization === undefined ? [`scope="${identity.scope}"`] : []),
  ];
  return `Bearer ${parts.join(', ')}`;
}
