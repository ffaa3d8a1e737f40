import { isUuid } from '@svc/contract';
import { Failure } from '../platform/failure.ts';

/** @throws Failure not_found for text that is no UUID, as for an unknown id */
export function idOf(text: string, notFound: string): string {
  if (!isUuid(text)) throw new Failure('not_found', notFound);
  return text.toLowerCase();
}
