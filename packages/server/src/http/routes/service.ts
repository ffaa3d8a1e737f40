import { openApiDocument, ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { operation } from '../operation.ts';

export function mountService(api: FastifyInstance, baseUrl: string): void {
  // Building the document takes 30 ms, so it is built at startup.
  const document = Buffer.from(JSON.stringify(openApiDocument({ baseUrl })));
  operation(api, ROUTES.getOpenApi, async ({ reply }) => {
    void reply.type('application/json; charset=utf-8');
    return document;
  });
}
