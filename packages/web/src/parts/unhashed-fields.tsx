import type { Etch } from '@svc/contract';
import { atTime, facts, safe, safeLink } from './values.tsx';
import { nameOf, questionText } from '../etch-text.ts';

export function UnhashedFields({ etch, text }: { etch: Etch; text: string }) {
  const { author, category, challenge, reveal_at: opens } = etch;
  return (
    <section aria-labelledby="besides">
      <h2 id="besides">Next to the words: not in the hash, not checked</h2>
      <p class="quiet">{text}</p>
      {facts(
        ['Description', safeLink(etch.url, etch.description)],
        ['Account', safe(nameOf(author)), ` @${author.username}`],
        ['Topic', category.label],
        ['Opening time', opens && atTime(opens, 'seconds')],
        ['Answer to the challenge', challenge && safe(questionText(challenge.question ?? ''))],
      )}
    </section>
  );
}
