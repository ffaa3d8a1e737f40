import {
  VOID,
  ConventionError,
  outcomeMisfit,
  resolutionDescription,
  resolutionWords,
} from '@svc/protocol/conventions';
import { narrowPage } from '@svc/web/layout';
import { FinalStep, PreviewStep } from '@svc/web/parts/drafts';
import {
  Choices,
  type FormProblem,
  LineEntry,
  Mode,
  type ModeProps,
  PostForm,
  problemText,
} from '@svc/web/parts/form';
import { say } from '@svc/web/parts/prose';
import { Warning } from '@svc/web/parts/sign';
import { plainNumber } from '@svc/web/plain-number';
import { Exact, facts, safe, safeLink } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import { partsOfQuestion, questionText } from '@svc/web/etch-text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badField, Failure } from '../../../platform/failure.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { toEtchRequest } from '../../routes/etches.ts';
import { type ById, checked, type FormFields, formOf, formProblem } from '../form.ts';
import { seeOther } from '../send.ts';
import { callerOf } from '../session.ts';
import { siteFor } from '../site.ts';
import { draftId, newDraftIfUsed, leftToday } from './drafts.ts';
import { type Resolving, type Target, targetFinder, resolvedBy } from './resolution-target.ts';

export function mountResolvePages(pages: FastifyInstance, deps: HttpDependencies): void {
  const { creator } = deps.etches;
  const { findChallenge, findForecast } = targetFinder(deps);

  for (const [url, find] of [
    ['/ch/:id/resolve', findChallenge],
    ['/e/:id/resolve', findForecast],
  ] as const) {
    pages.get(url, async (request: ById, reply) => {
      const target = await find(callerOf(request), request.params.id);
      const done = resolvedBy(target);
      if (done !== undefined) return seeOther(reply, `/e/${done}`);
      return resolvePage(siteFor(deps, request), target, {
        draft: resolutionOf({ source: partsOfQuestion(target.question).source }),
      });
    });

    pages.post(url, async (request: ById, reply) => {
      // If the session ended, the form keeps the typed text.
      const target = await find(request.session?.caller, request.params.id);
      const done = resolvedBy(target);
      if (done !== undefined) return seeOther(reply, `/e/${done}`);
      return answer(request, reply, target);
    });
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    target: Target,
  ): Promise<Page | FastifyReply> {
    const form = formOf(request);
    const draft = resolutionOf(form);
    const site = siteFor(deps, request);
    try {
      const caller = callerOf(request);
      if (form['step'] === 'edit') return resolvePage(site, target, { draft });
      const { outcome, words } = wordsOf(draft, target);
      const body = {
        content: words,
        description: resolutionDescription(target.id),
        category_id: target.category,
        mode: 'instant',
      };
      const asked = toEtchRequest(checked(request, 'createEtch', body));
      if (form['step'] === 'etch') {
        const { etch } = await creator.create(caller, asked, `page:${draft.draft}`);
        return seeOther(reply, draft.back === 'inbox' ? '/inbox?done=resolved' : `/e/${etch.id}`);
      }
      const remaining = await leftToday(deps, caller, 'etch');
      return previewResolutionPage(site, target, { draft, outcome, words, remaining });
    } catch (error) {
      const shown = newDraftIfUsed(draft, error, 'this form was sent before: check it again');
      return resolvePage(site, target, { draft, problem: formProblem(shown, request, reply) });
    }
  }
}

function wordsOf(draft: ResolutionDraft, { id, format }: Target): { outcome: string; words: string } {
  const typed = format.asks === 'number' ? plainNumber(draft.outcome) : draft.outcome;
  const outcome = draft.isVoid ? VOID : typed;
  const wrong = [
    ...(outcome === '' ? [{ path: 'outcome', message: 'is required' }] : []),
    ...(draft.source === '' ? [{ path: 'source', message: 'is required' }] : []),
  ];
  const misfit = outcome === '' ? null : outcomeMisfit(outcome, format);
  if (misfit !== null) wrong.unshift({ path: 'outcome', message: misfit });
  if (wrong.length > 0) throw new Failure('bad_request', 'the form is not complete', wrong);
  try {
    return { outcome, words: resolutionWords({ target: id, outcome, source: draft.source }) };
  } catch (error) {
    if (error instanceof ConventionError) throw badField('source', error.message);
    throw error;
  }
}

function resolutionOf(form: FormFields): ResolutionDraft {
  const { outcome = '', source = '', void: isVoid, back } = form;
  return {
    draft: draftId(form),
    back: back === 'inbox' ? back : '',
    outcome: outcome.trim(),
    isVoid: isVoid === 'on',
    source: source.trim().replace(/\s+/g, ' '),
  };
}

interface ResolutionDraft {
  draft: string;
  /** the page on which the author resolved it */
  back: 'inbox' | '';
  outcome: string;
  isVoid: boolean;
  source: string;
}

const TITLE = 'What came true?';
const NAMES = {
  outcome: { subject: 'The outcome', missing: 'Choose what came true' },
  source: { subject: 'The source', missing: 'Say where anyone can check it' },
};

type ResolveData = { draft: ResolutionDraft; problem?: FormProblem | undefined };

function resolvePage(site: Site, resolving: Resolving, { draft, problem }: ResolveData): Page {
  const { path, question, format } = resolving;
  const { criteria } = partsOfQuestion(question);
  return narrowPage(
    site,
    {
      title: TITLE,
      lead: safeLink(path, questionText(question)),
      quiet:
        'The first resolution counts. A later one does not replace it. If you retract it, the question stays unresolved.',
      problem: problemText(problem, NAMES),
      unlisted: true,
      typed: problem ? 'again' : 'edit',
    },
    criteria !== '' && facts(['Criteria', safe(criteria)]),
    <PostForm
      id="composer"
      action={`${path}/resolve`}
      class="composer"
      noValidate
      sends={{ draft: draft.draft, back: draft.back }}
    >
      {format.asks === 'outcomes' ? outcomes(format.outcomes, draft) : value(format.unit, draft)}
      <LineEntry
        name="source"
        label="Source"
        hint="Where can anyone check it? An address, or a publication and its date."
        value={draft.source}
      />
      <PreviewStep text="Nothing is published yet." />
    </PostForm>,
  );
}

const outcomes = (names: readonly string[], { outcome }: ResolutionDraft) => (
  <Choices name="outcome" legend="Outcome">
    {names.map((name) => (
      <label class="mode">
        <input type="radio" name="outcome" value={name} checked={outcome === name} />
        <strong>{safe(name)}</strong>
      </label>
    ))}
    <Void type="radio" name="outcome" value={VOID} checked={outcome === VOID} />
  </Choices>
);

const value = (unit: string, { outcome, isVoid }: ResolutionDraft) => (
  <>
    <LineEntry
      name="outcome"
      label={unit === '' ? 'The number' : say`The number, in ${safe(unit)}`}
      hint="With a decimal point, for example 12.5."
      value={outcome}
    />
    <Void type="checkbox" name="void" value="on" checked={isVoid} />
  </>
);

const Void = (input: Pick<ModeProps, 'type' | 'name' | 'value' | 'checked'>) => (
  <Mode {...input} title="Void">
    The question cannot be decided. No forecast is scored.
  </Mode>
);

type PreviewResolutionData = { draft: ResolutionDraft; outcome: string; words: string; remaining: number };

function previewResolutionPage(
  site: Site,
  { path, question, format, topic }: Resolving,
  { draft, outcome, words, remaining }: PreviewResolutionData,
): Page {
  const unit = format.asks === 'number' && outcome !== VOID ? format.unit : '';
  const { isVoid, ...typed } = draft;
  return narrowPage(
    site,
    {
      title: 'Check before you publish',
      description: TITLE,
      lead: 'You cannot edit a resolution. The first one counts.',
      unlisted: true,
      typed: 'again',
    },
    facts(
      ['Question', safeLink(path, questionText(question))],
      [
        outcome === VOID ? 'Resolved' : 'Came true',
        <strong>{safe(unit === '' ? outcome : `${outcome} ${unit}`)}</strong>,
      ],
      ['Source', safe(draft.source)],
      ['Topic', topic],
      ['Shown', 'public at once'],
      ['Author', `@${site.viewer!.username}, part of the hash`],
      ['Exactly what will be hashed', <Exact summary="Show the words">{words}</Exact>],
    ),
    <PostForm
      id="composer"
      action={`${path}/resolve`}
      composed
      sends={{ ...typed, ...(isVoid && { void: 'on' }) }}
    >
      <FinalStep step="etch" button="Publish the outcome">
        <Warning plain>
          <strong>It cannot be edited.</strong> If you retract it, the question stays unresolved permanently.
          It uses one of the {Math.floor(remaining).toLocaleString('en')} etches you have left for now.
        </Warning>
      </FinalStep>
    </PostForm>,
  );
}
