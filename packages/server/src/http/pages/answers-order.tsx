// The orders of a challenge's answers: their links and their names.
import { withQuery } from '@svc/web/format';
import type { AnswerDistribution } from '@svc/web/answer-distribution';

export type Sort = 'newest' | 'soonest';

/** Orders answers by value, from either end; `others` cannot be read as the question demands. */
export const ANSWERS_BY = ['highest', 'lowest', 'others'] as const;
export type AnswersBy = (typeof ANSWERS_BY)[number];

export const listHref = (here: string, sort: Sort, standingOnly: boolean, cursor?: string): string =>
  withQuery(here, {
    sort: sort === 'newest' ? null : sort,
    show: standingOnly ? 'standing' : null,
    cursor,
  });

export const orderHref = (here: string, by: AnswersBy, from?: number): string =>
  withQuery(here, { by, from: from === undefined ? null : String(from) });

interface Ordering {
  here: string;
  sort: Sort;
  standingOnly: boolean;
  retracted: number;
  by: AnswersBy | undefined;
  kinds: AnswerDistribution | undefined;
}

export function answersOrder({ here, sort, standingOnly, retracted, by, kinds }: Ordering) {
  const chip = (label: string, isChosen: boolean, href: string) => (
    <a href={`${href}#answers`} {...(isChosen && { 'aria-current': 'true' as const })}>
      {label}
    </a>
  );
  const inOrder = (label: string, of: Sort) =>
    chip(label, !by && sort === of, listHref(here, of, standingOnly));
  const byValue = (label: string, of: AnswersBy) => chip(label, by === of, orderHref(here, of));
  const isPartly = kinds !== undefined && kinds.read < kinds.answers;
  const ofShares = kinds?.kind === 'outcomes';
  return (
    <nav class="tabs" id="answers" aria-label="Order of the answers">
      {inOrder('Newest first', 'newest')}
      {inOrder('Oldest first', 'soonest')}
      {kinds && !ofShares && [byValue('Highest first', 'highest'), byValue('Lowest first', 'lowest')]}
      {ofShares && isPartly && byValue('Only forecasts', 'highest')}
      {isPartly && byValue('Other answers', 'others')}
      {!by &&
        (retracted > 0 || standingOnly) && [
          chip('Show retracted', !standingOnly, listHref(here, sort, false)),
          chip('Hide retracted', standingOnly, listHref(here, sort, true)),
        ]}
    </nav>
  );
}
