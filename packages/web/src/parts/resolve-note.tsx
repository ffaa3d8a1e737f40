import type { ChallengeDetail } from '@svc/contract';
import type { VNode } from 'preact';
import type { ShownOutcome } from '../outcome.ts';
import { AuthorLink } from './author.tsx';
import { Text } from './text.tsx';

export function ResolveNote({
  challenge: { id, creator, creator_id },
  outcome,
  isCreator,
}: {
  challenge: ChallengeDetail;
  outcome: ShownOutcome;
  isCreator: boolean;
}): VNode | null {
  const who = <AuthorLink author={creator} id={creator_id} />;
  switch (outcome.state) {
    case 'open':
      return isCreator ? (
        <p class="actions">
          <a class="button" href={`/ch/${id}/resolve`}>
            Resolve it
          </a>
          <span class="quiet">The forecasters wait for the outcome.</span>
        </p>
      ) : (
        <p class="note">
          <span>Waiting for {who} to resolve.</span>
        </p>
      );
    case 'pending':
      return (
        <p class="note">
          <span>
            {who} <a href={`/e/${outcome.etchId}`}>resolved it</a>: <Text>{outcome.outcome}</Text>. The
            outcome counts once it is anchored.
          </span>
        </p>
      );
    case 'resolved':
    case 'void':
    case 'retracted':
      return null;
  }
}
