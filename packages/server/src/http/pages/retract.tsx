import type { Etch } from '@svc/contract';
import { blindSealOf } from '@svc/web/blind-seal';
import { narrowPage } from '@svc/web/layout';
import { Button, type FormProblem, PostForm, ProblemSummary, problemText } from '@svc/web/parts/form';
import { prose } from '@svc/web/parts/prose';
import { Warning } from '@svc/web/parts/sign';
import { safeLink } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';

/** The words cannot be restored. */
export function retractPage(site: Site, etch: Etch, problem?: FormProblem): Page {
  const here = `/e/${etch.id}`;
  return narrowPage(
    site,
    {
      title: 'Retract an etch',
      heading: 'Retract this etch?',
      lead: safeLink(here, etch.description),
      unlisted: true,
      islands: ['compose.js'],
    },
    <ProblemSummary problem={problemText(problem)} />,
    <div class="two">
      <section>
        {prose`
          ## What is erased

          - The words and the salt: erased for good. Nobody can restore them.
          - The signature, if it has one.
        `}
      </section>
      <section>
        {prose`
          ## What stays permanently

          - This page, with the description, the hash and the dates.
          - That you retracted it, and when. The chain records it too.
          - Copies others made while it was public${
            blindSealOf(etch, site) && ': anyone who has the ciphertext can open it from its time on'
          }.
        `}
      </section>
    </div>,
    <PostForm action={`${here}/retract`} composed>
      <div class="note final">
        <Warning plain>
          <strong>This cannot be undone.</strong>{' '}
          {etch.challenge && 'Your place in the challenge stays taken: you cannot answer it again.'}
        </Warning>
        <p class="actions">
          <Button kind="danger">Retract it for good</Button>
          <a href={here}>Keep it</a>
        </p>
      </div>
    </PostForm>,
  );
}
