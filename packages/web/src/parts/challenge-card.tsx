import { type ChallengeListItem, TOPIC_LABELS } from '@svc/contract';
import { isYesNo, parseQuestion } from '@svc/protocol/conventions';
import { hits, safe, atTime, pastTime } from './values.tsx';
import { countText } from '../format.ts';
import { topicLink } from './author.tsx';
import { List } from './lists.tsx';
import { type ListOutcomes, questionText, type ShownOutcome, stateTone, stateWords } from '../etch-text.ts';
import { Tag } from './tag.tsx';

function challengeCard(
  challenge: ChallengeListItem,
  hit: string | undefined,
  outcome: ShownOutcome | undefined,
  isAnswered = false,
) {
  const { closed, etch_count: count } = challenge;
  return (
    <article class={`card challenge ${closed ? 'closed' : 'open'}`}>
      <p class="card-top">
        <OpenTag challenge={challenge} outcome={outcome} />
        {topicLink({ id: challenge.category_id, label: TOPIC_LABELS[challenge.category_id] })}
      </p>
      <h3>
        <a href={`/ch/${challenge.id}`}>{hits(questionText(challenge.question), hit)}</a>
      </h3>
      <p class="quiet">
        Asks for: {kindOf(challenge.question)} · {countText(count, 'answer')} ·{' '}
        {closed ? ['closed ', pastTime(challenge.reveal_at)] : ['closes ', atTime(challenge.reveal_at)]}
        {isAnswered && ' · you answered'}
      </p>
    </article>
  );
}

const NAMED = 3;

/** Returns `free text`, `a number in mm`, `yes or no` or the first outcomes. */
function kindOf(question: string) {
  const format = parseQuestion(question);
  if (format.asks === 'text') return 'free text';
  if (format.asks === 'number') return ['a number in ', safe(format.unit)];
  if (isYesNo(format.outcomes)) return 'yes or no';
  const more = format.outcomes.length - NAMED;
  return [safe(format.outcomes.slice(0, NAMED).join(', ')), more > 0 && ` and ${more} more`];
}

type OpenTagProps = {
  challenge: Pick<ChallengeListItem, 'closed' | 'question'>;
  outcome: ShownOutcome | undefined;
  /** the page begins with the outcome in a sentence */
  isSaid?: boolean;
};

export function OpenTag({ challenge, outcome, isSaid = false }: OpenTagProps) {
  const isResolved = outcome !== undefined && 'first' in outcome;
  const tone = stateTone(challenge, outcome);
  return (
    <Tag tone={tone} glyph={isResolved ? 'pass' : tone}>
      {isResolved && isSaid ? 'Resolved' : safe(stateWords(challenge, outcome))}
    </Tag>
  );
}

interface ChallengeListProps {
  challenges: readonly ChallengeListItem[];
  empty: string;
  hit?: string | undefined;
  outcomes?: ListOutcomes | undefined;
  /** ids of challenges that the reader answered */
  answered?: ReadonlySet<string> | undefined;
}

export const ChallengeList = ({ challenges, empty, hit, outcomes, answered }: ChallengeListProps) => (
  <List of={challenges} empty={empty}>
    {(challenge) => challengeCard(challenge, hit, outcomes?.get(challenge.id), answered?.has(challenge.id))}
  </List>
);
