import type { ComponentChildren } from 'preact';
import type { Standing } from '../proven.ts';
import { Glyph } from './glyph.tsx';

export function StandingLine({ standing: { glyph, tone, headline } }: { standing: Standing }) {
  return (
    <h2 class={`standing-line ${tone}`} id="standing">
      <Glyph name={glyph} /> <span>{headline}</span>
    </h2>
  );
}

interface StandingNoticeProps {
  standing: Standing;
  hasLine?: boolean;
  isFolded?: boolean;
  children?: ComponentChildren;
}

export function StandingNotice(props: StandingNoticeProps) {
  const { standing, hasLine = false, isFolded = false, children } = props;
  const { tone, lead } = standing;
  return (
    <section class={`standing ${tone}`} aria-labelledby="standing">
      {!hasLine && <StandingLine standing={standing} />}
      <p>{lead}</p>
      {children}
      {isFolded ? (
        <details>
          <summary>What is proven, and what is not</summary>
          <Proven standing={standing} />
        </details>
      ) : (
        <Proven standing={standing} />
      )}
    </section>
  );
}

type ProvenProps = { standing: Standing };

function Proven({ standing: { provenTitle, proven, unproven, notProven, caveats } }: ProvenProps) {
  return (
    <div class="two">
      <div>
        <h3>{provenTitle}</h3>
        {unproven ? <p class="unproven">{unproven}</p> : <Lines of={proven} kind="proven" />}
      </div>
      <div>
        <h3>Not proven</h3>
        <Lines of={notProven} kind="not-proven" />
        {caveats && (
          <details>
            <summary>What no proof can show</summary>
            <Lines of={caveats} kind="not-proven" />
          </details>
        )}
      </div>
    </div>
  );
}

function Lines({ of, kind }: { of: readonly string[]; kind: 'proven' | 'not-proven' }) {
  return (
    <ul class={kind}>
      {of.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
  );
}

export const liveHost = (here: string, state: string, waits: boolean) => ({
  'data-live': `${here}/events`,
  'data-state': state,
  ...(waits && { 'data-waits': 'true' }),
});

export function LiveNote() {
  return <p class="live-note" role="status" data-live-note=""></p>;
}

/** The island fills it in: a number in the page would be wrong. */
export function Countdown({ until }: { until: string }) {
  return <span class="countdown" role="timer" data-until={until} hidden></span>;
}
