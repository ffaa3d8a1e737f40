import { openApiDocument, ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { operation } from '../operation.ts';

export function mountService(api: FastifyInstance, baseUrl: string): void {
  // Written when it is first asked for: a start need not wait for it.
  let document: Buffer | undefined;
  operation(api, ROUTES.getOpenApi, async ({ reply }) => {
    void reply.type('application/json; charset=utf-8');
    return (document ??= Buffer.from(JSON.stringify(openApiDocument({ baseUrl }))));
  });
}
