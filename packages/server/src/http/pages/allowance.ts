import type { FastifyRequest } from 'fastify';
import { addressKey } from '../address.ts';
import type { PageParts } from './parts.ts';

export async function takeAnonymous(
  { anonymousMeter }: Pick<PageParts, 'anonymousMeter'>,
  request: FastifyRequest,
): Promise<void> {
  if (request.session) return;
  await anonymousMeter.take(addressKey(request.ip));
}
