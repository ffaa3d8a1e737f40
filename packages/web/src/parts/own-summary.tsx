import type { ComponentChildren } from 'preact';
import type { Etch } from '@svc/contract';
import { titleOf } from '../title.ts';
import { List } from './lists.tsx';
import { say } from './prose.tsx';
import { atTime, safeLink } from './values.tsx';

export interface OwnData {
  next: readonly Etch[];
  opened: readonly Etch[];
  lookedAt: string | null;
  isNew: boolean;
}

type OwnSummaryProps = { own: OwnData; news?: number | undefined };

export function OwnSummary({ own: { next, opened, lookedAt, isNew }, news = 0 }: OwnSummaryProps) {
  if (isNew) return firstSteps();
  return (
    <section class="wide halves" aria-label="Yours">
      <div>
        <h2>Your etches that open next</h2>
        {rows(next, 'opens', say`You have no sealed etches. [Seal something](/write)`)}
      </div>
      <div>
        <h2>Your etches that opened {lookedAt === null ? 'this week' : 'since your last visit'}</h2>
        {rows(
          opened,
          'opened',
          say`
            None of your etches opened
            ${lookedAt === null ? 'in the last seven days' : say`after ${atTime(lookedAt)}`}.
          `,
        )}
        <p class="more">
          <a href="/inbox">{news > 0 ? 'All news in your inbox →' : 'Your inbox →'}</a>
        </p>
      </div>
    </section>
  );
}

const rows = (etches: readonly Etch[], verb: string, empty: ComponentChildren) => (
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

const step = (href: string, title: string, text: string) => (
  <li>
    <h3>
      <a href={href}>{title}</a>
    </h3>
    <p>{text}</p>
  </li>
);

const firstSteps = () => (
  <section class="wide" aria-labelledby="first-steps">
    <h2 id="first-steps">First steps</h2>
    <ol class="steps">
      {step(
        '/write',
        'Write a first etch',
        'A prediction, a decision, a claim. Sealed for a day, it shows you the whole way.',
      )}
      {step(
        '/challenges',
        'Answer a challenge',
        'Everyone answers, nobody sees, and all answers open at once.',
      )}
      {step(
        '/search?in=accounts',
        'Follow an account',
        'Its etches appear in your feed. You can follow topics too.',
      )}
      {step('/verify', 'Check a receipt', 'Save a receipt from any etch and check it yourself.')}
    </ol>
  </section>
);
