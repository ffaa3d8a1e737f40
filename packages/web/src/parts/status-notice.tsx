import type { ComponentChildren } from 'preact';
import type { ProofStatus } from '../proof-status.ts';
import { spanText } from '../format.ts';
import { lines, withTimes } from './values.tsx';
import { Glyph } from './tag.tsx';

function StatusLine({ standing: { glyph, tone, headline } }: { standing: ProofStatus }) {
  return (
    <h2 class={`standing-line ${tone}`} id="standing">
      <Glyph name={glyph} /> <span>{withTimes(headline)}</span>
    </h2>
  );
}

interface StatusNoticeProps {
  status: ProofStatus;
  hasLine?: boolean;
  isFolded?: boolean;
  children?: ComponentChildren;
}

export function StatusNotice(props: StatusNoticeProps) {
  const { status: standing, hasLine = false, isFolded = false, children } = props;
  const { tone, lead, provenTitle, proven, unproven, notProven, caveats } = standing;
  const details = (
    <div class="two">
      <div>
        <h3>{provenTitle}</h3>
        {unproven ? <p class="unproven">{unproven}</p> : lines(proven, 'proven')}
      </div>
      <div>
        <h3>Not proven</h3>
        {lines(notProven, 'not-proven')}
      </div>
    </div>
  );
  const limits =
    caveats &&
    caveats.length > 0 &&
    folded(
      'What no proof can show',
      lines(
        caveats.map((line) => withLink(line, standing.record)),
        'not-proven',
      ),
    );
  return (
    <section class={`standing ${tone}`} aria-labelledby="standing">
      {!hasLine && <StatusLine standing={standing} />}
      {lead !== '' && <p>{withTimes(lead)}</p>}
      {children}
      {isFolded ? (
        folded('What is proven, and what is not', [details, limits])
      ) : (
        <>
          {details}
          {limits}
        </>
      )}
    </section>
  );
}

const RECORD = 'the whole record';

function withLink(line: string, record = ''): ComponentChildren {
  const [before, after] = line.split(RECORD);
  return after === undefined ? line : [before, <a href={record}>{RECORD}</a>, after];
}

const folded = (summary: string, content: ComponentChildren) => (
  <details>
    <summary>{summary}</summary>
    {content}
  </details>
);

export const liveHost = (here: string, state: string, waits: boolean) => ({
  'data-live': `${here}/events`,
  'data-state': state,
  ...(waits && { 'data-waits': 'true' }),
});

export const LiveNote = () => <p class="live-note" role="status" data-live-note=""></p>;

const MINUTE_MS = 60_000;

type CountdownProps = { until: string; now?: number | undefined };

/** Whole minutes by the service's clock; live.js counts on. Without a clock, only the script shows it. */
export function Countdown({ until, now }: CountdownProps) {
  const left = now === undefined ? 0 : Math.ceil((Date.parse(until) - now) / MINUTE_MS) * MINUTE_MS;
  return (
    <span class="countdown" role="timer" data-until={until} hidden={left <= 0}>
      {left > 0 && `in ${spanText(left)}`}
    </span>
  );
}
