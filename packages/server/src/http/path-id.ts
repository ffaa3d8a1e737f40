import { isUuid } from '@svc/contract';
import { Failure } from '../errors/failure.ts';

/**
 * An id in a path. Text that is no UUID gives the same answer as an unknown id (docs/specification.md#endpoints).
 * @throws Failure not_found
 */
export function idOf(text: string, notFound: string): string {
  if (!isUuid(text)) throw new Failure('not_found', notFound);
  return text.toLowerCase();
}
