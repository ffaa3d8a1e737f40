import type { ComponentChildren } from 'preact';
import type { Etch } from '@svc/contract';
import { titleOf } from '../title.ts';
import { safeLink, atTime } from './values.tsx';
import { List } from './lists.tsx';

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
        <Rows
          etches={next}
          verb="opens"
          empty={
            <>
              You have no sealed etches. <a href="/write">Seal something</a>
            </>
          }
        />
      </div>
      <div>
        <h2>Your etches that opened {lookedAt === null ? 'this week' : 'since your last visit'}</h2>
        <Rows
          etches={opened}
          verb="opened"
          empty={
            <>
              None of your etches opened{' '}
              {lookedAt === null ? 'in the last seven days' : ['after ', atTime(lookedAt)]}.
            </>
          }
        />
        <p class="more">
          <a href="/inbox">{news > 0 ? 'All news in your inbox →' : 'Your inbox →'}</a>
        </p>
      </div>
    </section>
  );
}

type RowsProps = { etches: readonly Etch[]; verb: string; empty: ComponentChildren };

const Rows = ({ etches, verb, empty }: RowsProps) => (
  <List kind="plain-list" of={etches} empty={empty}>
    {(etch) => (
      <>
        {safeLink(`/e/${etch.id}`, titleOf(etch))}
        <br />
        <span class="quiet">
          {verb} {atTime(etch.reveal_at!)}
        </span>
      </>
    )}
  </List>
);

const FIRST_STEPS = [
  [
    '/write',
    'Write a first etch',
    'A prediction, a decision, a claim. Sealed for a day, it shows you the whole way.',
  ],
  ['/challenges', 'Answer a challenge', 'Everyone answers, nobody sees, and all answers open at once.'],
  ['/search?in=accounts', 'Follow an account', 'Its etches appear in your feed. You can follow topics too.'],
  ['/verify', 'Check a receipt', 'Save a receipt from any etch and check it yourself.'],
] as const;

const FirstSteps = () => (
  <section class="wide" aria-labelledby="first-steps">
    <h2 id="first-steps">First steps</h2>
    <ol class="steps">
      {FIRST_STEPS.map(([href, title, text]) => (
        <li>
          <h3>
            <a href={href}>{title}</a>
          </h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  </section>
);
