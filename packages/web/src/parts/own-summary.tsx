import type { Etch } from '@svc/contract';
import { titleOf } from '../title.ts';
import { TextLink, Time } from './values.tsx';

export interface OwnData {
  next: readonly Etch[];
  opened: readonly Etch[];
  lookedAt: string | null;
  isNew: boolean;
}

type OwnSummaryProps = { own: OwnData; news?: number | undefined };

export function OwnSummary({ own: { next, opened, lookedAt, isNew }, news = 0 }: OwnSummaryProps) {
  if (isNew) return <FirstSteps />;
  return (
    <section class="wide halves" aria-label="Yours">
      <div>
        <h2>Your etches that open next</h2>
        {next.length === 0 ? (
          <p class="empty">
            You have no sealed etches. <a href="/write">Seal something</a>
          </p>
        ) : (
          <Rows etches={next} verb="opens" />
        )}
      </div>
      <div>
        <h2>Your etches that opened {lookedAt === null ? 'this week' : 'since your last visit'}</h2>
        {opened.length === 0 ? (
          <p class="empty">
            None of your etches opened{' '}
            {lookedAt === null ? (
              'in the last seven days'
            ) : (
              <>
                after <Time at={lookedAt} />
              </>
            )}
            .
          </p>
        ) : (
          <Rows etches={opened} verb="opened" />
        )}
        <p class="more">
          <a href="/inbox">{news > 0 ? 'All news in your inbox →' : 'Your inbox →'}</a>
        </p>
      </div>
    </section>
  );
}

function Rows({ etches, verb }: { etches: readonly Etch[]; verb: string }) {
  return (
    <ul class="plain-list">
      {etches.map((etch) => (
        <li>
          <TextLink href={`/e/${etch.id}`}>{titleOf(etch)}</TextLink>
          <br />
          <span class="quiet">
            {verb} <Time at={etch.reveal_at!} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function FirstSteps() {
  return (
    <section class="wide" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol class="steps">
        <li>
          <h3>
            <a href="/write">Write a first etch</a>
          </h3>
          <p>A prediction, a decision, a claim. Sealed for a day, it shows you the whole way.</p>
        </li>
        <li>
          <h3>
            <a href="/challenges">Answer a challenge</a>
          </h3>
          <p>Everyone answers, nobody sees, and all answers open at once.</p>
        </li>
        <li>
          <h3>
            <a href="/search?in=accounts">Follow an account</a>
          </h3>
          <p>Its etches appear in your feed. You can follow topics too.</p>
        </li>
        <li>
          <h3>
            <a href="/verify">Check a receipt</a>
          </h3>
          <p>Save a receipt from any etch and check it yourself.</p>
        </li>
      </ol>
    </section>
  );
}
