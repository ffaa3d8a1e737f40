import { openApiDocument, ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { operation } from '../operation.ts';

export function mountService(api: FastifyInstance, baseUrl: string): void {
  const document = openApiDocument({ baseUrl });
  operation(api, ROUTES.getOpenApi, async () => document);
}
