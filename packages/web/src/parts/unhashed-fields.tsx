import type { Etch } from '@svc/contract';
import { questionText, titleOf } from '../etch-text.ts';
import { NameAndHandle } from './author.tsx';
import { atTime, facts, safe, safeLink } from './values.tsx';

export function UnhashedFields({ etch, text }: { etch: Etch; text: string }) {
  const { author, category, challenge, reveal_at: opens } = etch;
  return (
    <section aria-labelledby="besides">
      <h2 id="besides">Shown by the service, not checked</h2>
      <p class="quiet">{text}</p>
      {facts(
        ['Title', safeLink(etch.url, titleOf(etch))],
        ['Account', <NameAndHandle of={author} />],
        ['Topic', category.label],
        ['Opening time', opens && atTime(opens, 'seconds')],
        ['Answer to the challenge', challenge && safe(questionText(challenge.question ?? ''))],
      )}
    </section>
  );
}
