import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Who gives people the tokens that are accepted here. */
export interface AuthorizationServer {
  issuer: string;
  scope: string;
}

interface Options {
  baseUrl: string;
  /** null: nobody does, and API keys alone are accepted */
  identity: AuthorizationServer | null;
}

const PATH = '/.well-known/oauth-protected-resource/mcp';

/**
 * What a client that holds nothing reads to find out where a token for `/mcp` comes from (RFC 9728). The tokens are those of the API:
 * their audience is `IDENTITY_AUDIENCE`.
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

/** The `WWW-Authenticate` of a 401: where to find out, and whether what was sent is at fault. */
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
