import type { Etch } from '@svc/contract';
import { RESOLUTION_TAG } from '@svc/protocol/conventions';

const ANSWER = 'Sealed answer to: ';

/**
 * A description as a title. Machine-readable ones become words, and the service's description of an answer changes when the answer
 * opens; others are shown as written.
 */
export function titleOf({
  description,
  status,
  challenge,
}: Pick<Etch, 'description' | 'status' | 'challenge'>): string {
  if (challenge && status !== 'sealed' && description.startsWith(ANSWER))
    return `Answer to: ${description.slice(ANSWER.length)}`;
  const [tag, id, ...rest] = description.split(' ');
  if (tag !== RESOLUTION_TAG || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id ?? ''))
    return description;
  const about = rest.join(' ').trim();
  return about === '' ? 'Resolution of a challenge or a forecast' : `Resolution: ${about}`;
}
