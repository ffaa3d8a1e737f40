import type { ChallengeCounts, Etch } from '@svc/contract';

/** In one word: a page with another word is outdated. */
export const etchState = ({
  status,
  chain,
}: Pick<Etch, 'status'> & {
  chain: Pick<Etch['chain'], 'status' | 'revocation_status'>;
}): string => `${status}.${chain.status}.${chain.revocation_status}`;

/** Closed, number of answers and of retractions. */
export const challengeState = (
  { closed }: { closed: boolean },
  { etches, retracted }: Pick<ChallengeCounts, 'etches' | 'retracted'>,
): string => `${closed ? 'closed' : 'open'}.${etches}.${retracted}`;

/** Something changed, and the time. */
export interface LiveMessage {
  state: string;
  /** the service's clock, for countdowns */
  now: string;
}
