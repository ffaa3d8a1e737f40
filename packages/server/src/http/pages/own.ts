import type { FollowTarget } from '@svc/contract';
import { ETCH_NOTICES, type EtchNotice, type Following, type Own } from '@svc/web';
import type { FastifyRequest } from 'fastify';
import type { EtchRow } from '../../etches/row.ts';
import { isFollowed } from '../../notify/follows/store.ts';
import type { Facts } from './parts.ts';

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

export async function ownOf(
  facts: Pick<Facts, 'db' | 'clock'>,
  request: FastifyRequest,
  { id, user_id: userId, reveal_at: revealAt }: Pick<EtchRow, 'id' | 'user_id' | 'reveal_at'>,
): Promise<Own | undefined> {
  const following = await followingOf(facts, request, 'etch', id);
  if (!following) return undefined;
  return {
    following,
    isAuthor: request.session?.caller.userId === userId,
    isDue: revealAt !== null && Date.parse(revealAt) <= facts.clock.now(),
    notice: noticeOf(request.query as { notice?: string }),
  };
}

/** The fixed list keeps links from making the page show other text. */
function noticeOf({ notice }: { notice?: string }): EtchNotice | undefined {
  return typeof notice === 'string' && Object.hasOwn(ETCH_NOTICES, notice)
    ? (notice as EtchNotice)
    : undefined;
}
