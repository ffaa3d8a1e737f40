import type { ComponentChildren, VNode } from 'preact';
import type { Standing } from '../proven.ts';
import { Glyph } from './glyph.tsx';

/** What is proven and what is not, in plain words, before anything else. */
export function StandingNotice({
  standing,
  children,
}: {
  standing: Standing;
  /** below the lead */
  children?: ComponentChildren;
}): VNode {
  const { glyph, tone, headline, lead, provenTitle, proven, notProven } = standing;
  return (
    <section class={`standing ${tone}`} aria-labelledby="standing">
      <h2 id="standing">
        <Glyph name={glyph} /> <span>{headline}</span>
      </h2>
      <p>{lead}</p>
      {children}
      <div class="two">
        <div>
          <h3>{provenTitle}</h3>
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
