import { isUuid } from '@svc/contract';
import { Failure } from '../errors/failure.ts';

/**
 * An id out of a path: one that is no UUID is as unknown as any other (docs/specification.md#endpoints).
 * @throws Failure not_found
 */
export function idOf(text: string, notFound: string): string {
  if (!isUuid(text)) throw new Failure('not_found', notFound);
  return text.toLowerCase();
}
