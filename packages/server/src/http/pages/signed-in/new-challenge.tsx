import { QUESTION_MAX, parseDateTime } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { topicLabel } from '@svc/web/parts/etch-terms';
import { ANSWER_KINDS, composeQuestion, questionFieldsOf } from '@svc/web/question-fields';
import { type QuestionFields, writtenQuestion } from '@svc/web/question-text';
import { presetTime } from '@svc/web/reveal-presets';
import { LaterDate } from '@svc/web/parts/write-entries';
import { narrowPage } from '@svc/web/layout';
import { DraftList, DraftNote, keptForm, PreviewStep } from '@svc/web/parts/drafts';
import {
  CountNote,
  type FormProblem,
  LineEntry,
  Mode,
  PostForm,
  TextEntry,
  problemText,
  TOPIC_NAME,
  TopicEntry,
} from '@svc/web/parts/form';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Detail, Failure } from '../../../platform/failure.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { checked, filled, type FormFields, formOf, formProblem, utcOf } from '../form.ts';
import { seeOther } from '../send.ts';
import { callerOf } from '../session.ts';
import { noteEtched, siteFor } from '../site.ts';
import { type ChallengeRequest, createChallenge } from '../../../acts/challenge-store.ts';
import { leadRefusal } from '../../../acts/creation.ts';
import { draftId, newDraftIfUsed, leftToday } from './drafts.ts';
import { CHALLENGE_FRAME, NEW_CHALLENGE, previewChallengePage } from './preview-challenge.tsx';

export function mountNewChallengePages(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, clock, keyring } = deps;
  const { limits } = deps.config;
  const leadSeconds = limits.minRevealLeadSeconds;

  const show = (request: FastifyRequest, draft: ChallengeDraft, problem?: FormProblem) =>
    newChallengePage(siteFor(deps, request), { draft, leadSeconds, ...(problem && { problem }) });

  pages.get('/challenges/new', async (request) => {
    callerOf(request);
    return show(request, { ...draftOf({}), asks: 'yes_no' });
  });

  pages.post('/challenges/new', async (request, reply) => {
    const form = formOf(request);
    const draft = draftOf(form);
    draft.reveal_at = presetTime(form['opens_in'], clock.now()) ?? draft.reveal_at;
    try {
      const caller = callerOf(request);
      if (form['step'] === 'edit') return show(request, draft);
      const asked = readChallenge(request, draft, form['step'] === 'ask' ? [] : tooNear(draft));
      if (form['step'] === 'ask') {
        const context = { db, clock, keyring, limits };
        const { challenge } = await createChallenge(context, caller, asked, `page:${draft.draft}`);
        noteEtched(reply, deps.baseUrl, draft.draft);
        return seeOther(reply, `/ch/${challenge.id}`);
      }
      const { draft: id, category_id, reveal_at } = draft;
      return previewChallengePage(siteFor(deps, request), {
        sent: { draft: id, question: asked.question, category_id, reveal_at },
        topic: topicLabel(asked.category_id),
        revealAt: asked.reveal_at,
        remaining: await leftToday(deps, caller, 'challenge'),
      });
    } catch (error) {
      return show(request, draft, formProblem(newDraftIfUsed(draft, error, ASKED), request, reply));
    }
  });

  function tooNear({ reveal_at }: ChallengeDraft): readonly Detail[] {
    const at = parseDateTime(utcOf(reveal_at));
    return (at && leadRefusal(at, clock.now(), leadSeconds)?.details) || [];
  }
}

const ASKED =
  'you asked an earlier version of this question already, and it stays unchanged: the form below is a new draft';

/** @param tooNear an error found before */
function readChallenge(
  request: FastifyRequest,
  draft: ChallengeDraft,
  tooNear: readonly Detail[],
): ChallengeRequest {
  const written = composeQuestion(draft);
  const question = typeof written === 'string' ? written : draft.question;
  const wrong: Detail[] = [...(typeof written === 'string' ? [] : written), ...tooNear];
  const over = lengthOf(question) - QUESTION_MAX;
  if (over > 0)
    wrong.push({
      path: 'question',
      message: `is too long by ${over}: outcomes, criteria and source count too`,
    });
  const { reveal_at: revealAt, ...fields } = filled(
    { ...draft, question },
    'question',
    'category_id',
    'reveal_at',
  );
  const body = { ...fields, ...(revealAt !== undefined && { reveal_at: utcOf(revealAt) }) };
  try {
    const { category_id, reveal_at } = checked(request, 'createChallenge', body);
    if (wrong.length === 0) return { question, category_id, reveal_at: parseDateTime(reveal_at)! };
  } catch (error) {
    if (!(error instanceof Failure) || !error.details) throw error;
    const isNew = ({ path }: Detail): boolean => !wrong.some((one) => one.path === path);
    wrong.push(...error.details.filter(isNew));
  }
  throw new Failure('bad_request', 'the form is not complete', wrong);
}

const lengthOf = (question: string): number => [...question].length;

function draftOf(form: FormFields): ChallengeDraft {
  const { question = '', asks, outcomes = '', unit = '', levels = '', criteria = '', source = '' } = form;
  const { category_id = '', reveal_at = '' } = form;
  return {
    draft: draftId(form),
    ...(asks === undefined
      ? questionFieldsOf(question)
      : { question, asks, outcomes, unit, levels, criteria, source }),
    category_id,
    reveal_at,
  };
}

interface ChallengeDraft extends QuestionFields {
  draft: string;
  category_id: string;
  reveal_at: string;
}

const NAMES = {
  outcomes: { subject: 'The list of outcomes', missing: 'List the outcomes' },
  unit: { subject: 'The unit', missing: 'Give the unit' },
  levels: { subject: 'The levels', missing: 'Give the levels' },
  question: { subject: 'The question', missing: 'Write the question' },
  criteria: { subject: 'The criteria', missing: 'Say how it will be decided' },
  source: { subject: 'The source', missing: 'Say where the outcome can be read' },
  category_id: TOPIC_NAME,
  reveal_at: { subject: 'The time at which it closes', missing: 'Set the time at which it closes' },
};

type NewChallengeData = { draft: ChallengeDraft; problem?: FormProblem | undefined; leadSeconds: number };

export function newChallengePage(site: Site, { draft, problem, leadSeconds }: NewChallengeData): Page {
  return narrowPage(
    site,
    {
      ...CHALLENGE_FRAME,
      title: 'New challenge',
      lead: 'Each account may answer once. All answers stay sealed and open together at the time you set.',
      problem: problemText(problem, NAMES),
      typed: problem ? 'again' : 'edit',
    },
    <DraftList site={site} title="Drafts on this device" />,
    <PostForm
      id="composer"
      action={NEW_CHALLENGE}
      class="composer"
      noValidate
      composed
      {...keptForm(site, NEW_CHALLENGE, problem || draft.question ? 'sent' : 'empty')}
      sends={{ draft: draft.draft }}
    >
      <AsksEntry typed={draft} />
      <TextEntry
        name="question"
        label="The question"
        hint="Public at once and permanently. Ask so that anyone can check later whether an answer was right."
        value={draft.question}
        rows={3}
        words
      />
      <CountNote
        counts="question"
        length={lengthOf(writtenQuestion(draft))}
        max={QUESTION_MAX}
        note="outcomes, criteria and source included"
      />
      <LineEntry
        name="criteria"
        label="How it will be decided (optional)"
        hint="What exactly counts, and what does not? Such as: the first official count, before any appeal. Without criteria, readers cannot check your decision."
        value={draft.criteria}
      />
      <LineEntry
        name="source"
        label="Source (optional)"
        hint="Where will everyone read the outcome? An address, or a publication."
        value={draft.source}
      />
      <TopicEntry value={draft.category_id} />
      <div class="when">
        <LaterDate verb="closes" value={draft.reveal_at} lead={leadSeconds} />
      </div>
      <PreviewStep text="Nothing is published yet." />
    </PostForm>,
    <DraftNote />,
  );
}

function AsksEntry({ typed }: { typed: QuestionFields }) {
  const asks = ANSWER_KINDS.find((known) => known === typed.asks) ?? 'text';
  const choice = (
    value: (typeof ANSWER_KINDS)[number],
    title: string,
    says: string,
    fields?: ComponentChildren,
  ) => (
    <div class="panel">
      <Mode name="asks" value={value} checked={value === asks} title={title}>
        {says}
      </Mode>
      {fields && <div class="when">{fields}</div>}
    </div>
  );
  const entry = (name: 'unit' | 'levels', label: string, hint: string) => (
    <LineEntry name={name} label={label} hint={hint} value={typed[name]} />
  );
  return (
    <fieldset class="panels">
      <legend>What kind of question is it?</legend>
      {choice('yes_no', 'Yes or no', 'Everyone gives a chance of yes. Answers are scored.')}
      {choice(
        'outcomes',
        'Several outcomes',
        'Everyone gives a chance of each outcome. Answers are scored.',
        <TextEntry
          name="outcomes"
          label="The outcomes"
          hint="One on each line, in any letters: New York, São Paulo, 東京. Exactly one must come true."
          value={typed.outcomes}
          rows={4}
        />,
      )}
      {choice('number', 'A number', 'Everyone gives a range for the number, in a unit. Answers are scored.', [
        entry('unit', 'The unit', 'Such as mm, nights or EUR'),
        entry(
          'levels',
          'Levels in percent (optional)',
          'An answer says for each level: the number is at most this, with this chance. Empty: 10 50 90',
        ),
      ])}
      {choice('text', 'Free text', 'Words of any kind. They are not scored.')}
    </fieldset>
  );
}
