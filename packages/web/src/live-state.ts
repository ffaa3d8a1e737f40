import type { ChallengeCounts, Etch } from '@svc/contract';

/**
 * What of an etch changes after it was written, in one word: a page that shows another one is out of date. It is made of
 * what is public only.
 */
export const etchState = ({
  status,
  chain,
}: Pick<Etch, 'status'> & {
  chain: Pick<Etch['chain'], 'status' | 'revocation_status'>;
}): string => `${status}.${chain.status}.${chain.revocation_status}`;

/** The same of a challenge: it closes, is answered, and answers are retracted. */
export const challengeState = (
  { closed }: { closed: boolean },
  { etches, retracted }: Pick<ChallengeCounts, 'etches' | 'retracted'>,
): string => `${closed ? 'closed' : 'open'}.${etches}.${retracted}`;

/** What an open page is told, as an event or as an answer: never more than that something changed, and the time. */
export interface LiveMessage {
  state: string;
  /** the service's clock, by which a countdown is corrected */
  now: string;
}
