import { posingMark } from '@svc/contract';
import { badField } from '../platform/failure.ts';

/** @throws Failure bad_request when a part of the name could look like a mark of this service */
export function refusePosing(displayName: string): void {
  const mark = posingMark(displayName);
  if (mark === undefined) return;
  throw badField(
    'display_name',
    `must not contain “${mark}”, which readers would take for this service's own word: choose the name without it`,
  );
}
