import type { ChallengeCounts, Etch } from '@svc/contract';

/** A page with a different state is outdated. */
export const etchState = ({
  status,
  chain,
}: Pick<Etch, 'status'> & {
  chain: Pick<Etch['chain'], 'status' | 'revocation_status'>;
}): string => `${status}.${chain.status}.${chain.revocation_status}`;

/** Counts takedowns as retractions: the live stream of a challenge reads one number of erased answers. */
export const challengeState = (
  { closed }: { closed: boolean },
  { etches, retracted, taken_down = 0 }: Pick<ChallengeCounts, 'etches' | 'retracted' | 'taken_down'>,
): string => `${closed ? 'closed' : 'open'}.${etches}.${retracted + taken_down}`;

const ETCH_CHANGES: Readonly<Record<string, string>> = {
  revealed: 'the words opened',
  retracted: 'the words were erased',
  anchored: 'the anchor arrived',
  failed: 'the chain became unreachable',
  revoked: 'the erasure arrived on the chain',
};

export function changeText(before: string, after: string): string {
  const [old, now] = [before.split('.'), after.split('.')];
  if (now[0] === 'closed' && old[0] === 'open') return 'the challenge closed';
  if (now[0] === 'open' || now[0] === 'closed')
    return Number(now[1]) > Number(old[1]) ? 'an answer arrived' : 'an answer was erased';
  const changed = now.find((word, index) => word !== old[index]) ?? '';
  return ETCH_CHANGES[changed] ?? 'the status changed';
}

export interface LiveMessage {
  state: string;
  now: string;
}
