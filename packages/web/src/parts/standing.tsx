import type { VNode } from 'preact';
import type { Standing } from '../proven.ts';
import { Glyph } from './glyph.tsx';

/** What is proven and what is not, in plain words, before anything else. */
export function StandingNotice({ standing }: { standing: Standing }): VNode {
  const { glyph, tone, headline, lead, proven, notProven } = standing;
  return (
    <section class={`standing ${tone}`} aria-labelledby="standing">
      <h2 id="standing">
        <Glyph name={glyph} /> <span>{headline}</span>
      </h2>
      <p>{lead}</p>
      <div class="two">
        <div>
          <h3>Proven</h3>
          <ul class="proven">
            {proven.map((line) => (
              <li>{line}</li>
            ))}
          </ul>
        </div>
        <div>
          <h3>Not proven</h3>
          <ul class="not-proven">
            {notProven.map((line) => (
              <li>{line}</li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
