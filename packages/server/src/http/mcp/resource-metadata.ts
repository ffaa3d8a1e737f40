import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface AuthorizationServer {
  issuer: string;
  scope: string;
}

interface Options {
  baseUrl: string;
  identity: AuthorizationServer | null;
}

const PATH = '/.well-known/oauth-protected-resource/mcp';

/** Follows RFC 9728. */
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
