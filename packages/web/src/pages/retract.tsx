import type { Etch } from '@svc/contract';
import { renderPage } from '../layout.tsx';
import { type FormProblem, ProblemSummary, told } from '../parts/form.tsx';
import { TextLink } from '../parts/values.tsx';
import { blindSealOf } from '../blind-seal.ts';
import type { Page, Site } from '../site.ts';
import { Warning } from '../parts/sign.tsx';

/** The words cannot be restored. */
export function retractPage(site: Site, etch: Etch, problem?: FormProblem): Page {
  return renderPage(
    site,
    {
      title: 'Retract an etch',
      description: 'Retract an etch',
      unlisted: true,
      islands: ['compose.js'],
    },
    <div class="narrow">
      <header class="page-head">
        <h1>Retract this etch?</h1>
        <p class="lead">
          <TextLink href={`/e/${etch.id}`}>{etch.description}</TextLink>
        </p>
      </header>
      <ProblemSummary problem={told(problem)} />
      <div class="two">
        <section>
          <h2>What is erased</h2>
          <ul>
            <li>The words and the salt: erased for good. Nobody can restore them.</li>
            <li>The signature, if it has one.</li>
          </ul>
        </section>
        <section>
          <h2>What stays permanently</h2>
          <ul>
            <li>This page, with the description, the hash and the dates.</li>
            <li>That you retracted it, and when. The chain records it too.</li>
            <li>
              Copies others made while it was public
              {blindSealOf(etch, site) && ': anyone who has the ciphertext can open it from its time on'}.
            </li>
          </ul>
        </section>
      </div>
      <form method="post" action={`/e/${etch.id}/retract`} data-compose="">
        <div class="note final">
          <Warning plain>
            <strong>This cannot be undone.</strong>{' '}
            {etch.challenge && 'Your place in the challenge stays taken: you cannot answer it again.'}
          </Warning>
          <p class="actions">
            <button type="submit" class="danger">
              Retract it for good
            </button>
            <a href={`/e/${etch.id}`}>Keep it</a>
          </p>
        </div>
      </form>
    </div>,
  );
}
