import { type ChallengeListItem, TOPIC_LABELS } from '@svc/contract';
import { hits, safe, atTime } from './values.tsx';
import { countText } from '../format.ts';
import { topicLink } from './author.tsx';
import { List } from './lists.tsx';
import { type ListOutcomes, outcomeWords, questionText, type ShownOutcome } from '../etch-text.ts';
import { Glyph, Tag } from './tag.tsx';

function challengeCard(
  challenge: ChallengeListItem,
  hit: string | undefined,
  outcome: ShownOutcome | undefined,
) {
  const { closed, etch_count: count } = challenge;
  return (
    <article class={`card challenge ${closed ? 'closed' : 'open'}`}>
      <p class="card-top">
        <OpenTag closed={closed} outcome={outcome} question={challenge.question} />
        {topicLink({ id: challenge.category_id, label: TOPIC_LABELS[challenge.category_id] })}
      </p>
      <h3>
        <a href={`/ch/${challenge.id}`}>{hits(questionText(challenge.question), hit)}</a>
      </h3>
      <p class="quiet">
        {countText(count, 'answer')} · {closed ? 'opened' : 'opens'} {atTime(challenge.reveal_at)}
      </p>
    </article>
  );
}

type OpenTagProps = { closed: boolean; outcome?: ShownOutcome | undefined; question?: string };

export function OpenTag({ closed, outcome, question = '' }: OpenTagProps) {
  const resolved = outcomeWords(outcome, question);
  if (resolved !== undefined)
    return (
      <span class="tag revealed">
        <Glyph name="pass" /> <span>{safe(resolved)}</span>
      </span>
    );
  return closed ? <Tag glyph="revealed">Answers open</Tag> : <Tag glyph="sealed">Taking answers</Tag>;
}

interface ChallengeListProps {
  challenges: readonly ChallengeListItem[];
  empty: string;
  hit?: string | undefined;
  outcomes?: ListOutcomes | undefined;
}

export const ChallengeList = ({ challenges, empty, hit, outcomes }: ChallengeListProps) => (
  <List of={challenges} empty={empty}>
    {(challenge) => challengeCard(challenge, hit, outcomes?.get(challenge.id))}
  </List>
);
