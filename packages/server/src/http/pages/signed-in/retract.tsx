import type { Etch } from '@svc/contract';
import { blindSealOf } from '@svc/web/blind-seal';
import { titleOf } from '@svc/web/etch-text';
import { narrowPage } from '@svc/web/layout';
import { Button, type FormProblem, PostForm, ProblemSummary, problemText } from '@svc/web/parts/form';
import { prose } from '@svc/web/parts/prose';
import { Warning } from '@svc/web/parts/sign';
import { safeLink } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance } from 'fastify';
import { retractEtch } from '../../../acts/retract-store.ts';
import { etchView } from '../../../etches/view.ts';
import { Failure } from '../../../platform/failure.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { formProblem } from '../form.ts';
import { seeOther } from '../send.ts';
import { callerOf, SignedOut } from '../session.ts';
import { siteFor } from '../site.ts';
import { etchFinder } from '../find-subject.ts';
import { isForAuthor } from './etch-actions.ts';

interface Path {
  Params: { id: string };
}

export function mountRetractPage(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, clock, view } = deps;
  const { reader } = deps.etches;
  const find = etchFinder(reader);

  pages.get<Path>('/e/:id/retract', async (request, reply) => {
    const caller = callerOf(request);
    const row = await find(request.params.id);
    if (row.user_id !== caller.userId) return seeOther(reply, `/e/${row.id}?notice=author`);
    const etch = etchView(row, clock.now(), view);
    if (etch.status === 'retracted') return seeOther(reply, `/e/${etch.id}`);
    return retractPage(siteFor(deps, request), etch);
  });

  pages.post<Path>('/e/:id/retract', async (request, reply) => {
    const { id } = await find(request.params.id);
    try {
      await retractEtch(db, clock, callerOf(request), id);
      return seeOther(reply, `/e/${id}`);
    } catch (error) {
      if (isForAuthor(error)) return seeOther(reply, `/e/${id}?notice=author`);
      // A second click changes nothing.
      if (error instanceof Failure && error.code === 'unprocessable') return seeOther(reply, `/e/${id}`);
      if (error instanceof Failure && !(error instanceof SignedOut)) throw error;
      const problem = formProblem(error, request, reply);
      const etch = etchView(await reader.get(id), clock.now(), view);
      return retractPage(siteFor(deps, request), etch, problem);
    }
  });
}

function copiesOf(site: Site, etch: Etch): string {
  if (blindSealOf(etch, site))
    return 'Copies of the ciphertext: anyone who has one can open it from its opening time on.';
  return etch.status === 'sealed'
    ? 'The opening, if you saved it: anyone who has the file can read the words after the opening date.'
    : 'Copies that others made while it was public.';
}

/** The words cannot be restored. */
export function retractPage(site: Site, etch: Etch, problem?: FormProblem): Page {
  const here = `/e/${etch.id}`;
  return narrowPage(
    site,
    {
      title: 'Retract an etch',
      heading: 'Retract this etch?',
      lead: safeLink(here, titleOf(etch)),
      unlisted: true,
      islands: ['compose.js'],
    },
    <ProblemSummary problem={problemText(problem)} />,
    <div class="two">
      <section>
        {prose`
          ## What is erased

          - The words and the salt, from this service. The service cannot restore them.
          - The signature, if it has one.
        `}
      </section>
      <section>
        {prose`
          ## What stays permanently

          - This page, with the description, the hash and the dates.
          - That you retracted it, and when. The chain records it too.
          - ${copiesOf(site, etch)}
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
