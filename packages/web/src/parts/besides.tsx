import type { Etch } from '@svc/contract';
import { timeText } from '../format.ts';
import { Fact, Facts, Text, TextLink } from './values.tsx';
import { nameOf } from '../names.ts';
import { questionText } from '../questions.ts';

export function Besides({ etch, said }: { etch: Etch; said: string }) {
  const { author, category, challenge, reveal_at: opens } = etch;
  return (
    <section aria-labelledby="besides">
      <h2 id="besides">Next to the words: not in the hash, not checked</h2>
      <p class="quiet">{said}</p>
      <Facts>
        <Fact label="Description">
          <TextLink href={etch.url}>{etch.description}</TextLink>
        </Fact>
        <Fact label="Account">
          <Text>{nameOf(author)}</Text> @{author.username}
        </Fact>
        <Fact label="Topic" value={category.label} />
        <Fact label="Opening time" value={opens && timeText(opens, 'seconds')} />
        {challenge && (
          <Fact label="Answer to the challenge">
            <Text>{questionText(challenge.question ?? '')}</Text>
          </Fact>
        )}
      </Facts>
    </section>
  );
}
