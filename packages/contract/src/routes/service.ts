import { Type } from 'typebox';
import { GET, ok, routes } from './route.ts';

export const serviceRoutes = routes('Service', {
  getOpenApi: GET('/api/v1/openapi.json', 'public', {
    summary: 'Read this document',
    success: ok(
      'The OpenAPI 3.1 document of the API.',
      Type.Object({
        openapi: Type.String({ pattern: '^3\\.1\\.', description: 'The version of OpenAPI.' }),
      }),
      { openapi: '3.1.0' },
    ),
    extra: true,
  }),
});

/** Outside `/api/v1`, and not in the OpenAPI document. */
export const EXTRA_ROUTES = [
  { method: 'GET', path: '/healthz', summary: 'The process is up.' },
  {
    method: 'GET',
    path: '/healthz/proxy',
    summary: 'The address that a proxy in front of the service sent with this request.',
  },
  {
    method: 'GET',
    path: '/readyz',
    summary: 'The database and the chain can be reached and all migrations are applied.',
  },
  { method: 'GET', path: '/metrics', summary: 'Metrics for Prometheus.' },
  { method: 'GET', path: '/docs', summary: 'The API reference, in a browser.' },
  { method: 'GET', path: '/llms.txt', summary: 'One page on how an agent registers, etches and verifies.' },
  { method: 'GET', path: '/llms-full.txt', summary: 'That page and all documents in one file.' },
  {
    method: 'GET',
    path: '/docs/{name}',
    summary: 'A document of this service: /docs/agents.md, /docs/protocol.md.',
  },
  { method: 'GET', path: '/u/{username}/record.md', summary: "An account's record as raw markdown." },
  {
    method: 'GET',
    path: '/.well-known/svc.json',
    summary: 'The values that a client pins: chain, contract, schema, relayers.',
  },
  {
    method: 'GET',
    path: '/.well-known/oauth-protected-resource/mcp',
    summary: 'Which authorization server issues tokens for /mcp (RFC 9728).',
  },
  {
    method: 'POST',
    path: '/mcp',
    summary: 'The service as tools for agents, by the Model Context Protocol.',
  },
  { method: 'POST', path: '/rpc', summary: 'A read-only proxy to the chain.' },
] as const;
