import { questionText } from '../question-text.ts';
import type { Etch } from '@svc/contract';
import type { VNode } from 'preact';
import { timeText } from '../time-text.ts';
import { Facts } from './facts.tsx';
import { Text } from './text.tsx';
import { nameOf } from '../names.ts';

export function Besides({ etch, said }: { etch: Etch; said: string }): VNode {
  const { author, category, challenge, reveal_at: opens } = etch;
  return (
    <section aria-labelledby="besides">
      <h2 id="besides">Next to the words: not in the hash, not checked</h2>
      <p class="quiet">{said}</p>
      <Facts
        facts={[
          {
            label: 'Description',
            value: (
              <a href={etch.url}>
                <Text>{etch.description}</Text>
              </a>
            ),
          },
          {
            label: 'Account',
            value: (
              <>
                <Text>{nameOf(author)}</Text> @{author.username}
              </>
            ),
          },
          { label: 'Topic', value: category.label },
          opens && { label: 'Opening time', value: timeText(opens, 'seconds') },
          challenge && {
            label: 'Answer to the challenge',
            value: <Text>{questionText(challenge.question ?? '')}</Text>,
          },
        ]}
      />
    </section>
  );
}
