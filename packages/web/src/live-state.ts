import type { ChallengeCounts, Etch } from '@svc/contract';

/** The changing public state of an etch in one word: a page with another word is outdated. */
export const etchState = ({
  status,
  chain,
}: Pick<Etch, 'status'> & {
  chain: Pick<Etch['chain'], 'status' | 'revocation_status'>;
}): string => `${status}.${chain.status}.${chain.revocation_status}`;

/** The same for a challenge: closed, number of answers and of retractions. */
export const challengeState = (
  { closed }: { closed: boolean },
  { etches, retracted }: Pick<ChallengeCounts, 'etches' | 'retracted'>,
): string => `${closed ? 'closed' : 'open'}.${etches}.${retracted}`;

/** The message to an open page: that something changed, and the time. */
export interface LiveMessage {
  state: string;
  /** the service's clock, which corrects a countdown */
  now: string;
}
