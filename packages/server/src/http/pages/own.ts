import type { FollowTarget } from '@svc/contract';
import type { Following, Own } from '@svc/web';
import type { FastifyRequest } from 'fastify';
import type { EtchRow } from '../../etches/row.ts';
import { isFollowed } from '../../follows/store.ts';
import type { Facts } from './parts.ts';

/** Does who is signed in follow it? Undefined when nobody is. */
export async function followingOf(
  { db }: Pick<Facts, 'db'>,
  { session }: FastifyRequest,
  type: FollowTarget,
  id: string,
): Promise<Following | undefined> {
  if (!session) return undefined;
  const { userId } = session.caller;
  return { type, id, followed: await isFollowed(db, userId, { target_type: type, target_id: id }) };
}

/** What the page of an etch shows to who is signed in alone. */
export async function ownOf(
  facts: Pick<Facts, 'db'>,
  request: FastifyRequest,
  { id, user_id: userId }: Pick<EtchRow, 'id' | 'user_id'>,
): Promise<Own | undefined> {
  const following = await followingOf(facts, request, 'etch', id);
  return following && { following, isAuthor: request.session?.caller.userId === userId };
}
