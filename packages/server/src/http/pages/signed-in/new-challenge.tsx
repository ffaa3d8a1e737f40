import { QUESTION_MAX, parseDateTime } from '@svc/contract';
import { parseQuestion } from '@svc/protocol/conventions';
import type { ComponentChildren } from 'preact';
import { topicLabel } from '@svc/web/parts/etch-terms';
import {
  answerFormatText,
  ANSWER_KINDS,
  almostForecastNote,
  type QuestionFields,
  composeQuestion,
  questionFieldsOf,
} from '@svc/web/question-fields';
import { questionText } from '@svc/web/etch-text';
import { spanText } from '@svc/web/format';
import { narrowPage } from '@svc/web/layout';
import { ScriptsNote } from '@svc/web/parts/convention';
import { DraftList, DraftNote, FinalStep, keptForm, PreviewStep } from '@svc/web/parts/drafts';
import {
  DateEntry,
  type FormProblem,
  LineEntry,
  Mode,
  PostForm,
  TextEntry,
  problemText,
  TOPIC_NAME,
  TopicEntry,
} from '@svc/web/parts/form';
import { Warning } from '@svc/web/parts/sign';
import { atTime, facts, safe } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import { UNTRANSLATED } from '@svc/web/untranslated';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badField } from '../../../platform/failure.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { checked, filled, type FormFields, formOf, formProblem, utcOf } from '../form.ts';
import { seeOther } from '../send.ts';
import { callerOf } from '../session.ts';
import { noteEtched, siteFor } from '../site.ts';
import { type ChallengeRequest, createChallenge } from '../../../acts/challenge-store.ts';
import { leadRefusal } from '../../../acts/creation.ts';
import { draftId, newDraftIfUsed, leftToday } from './drafts.ts';

export function mountNewChallengePages(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, clock, keyring } = deps;
  const { limits } = deps.config;
  const leadSeconds = limits.minRevealLeadSeconds;

  const show = (request: FastifyRequest, draft: ChallengeDraft, problem?: FormProblem) =>
    newChallengePage(siteFor(deps, request), { draft, leadSeconds, ...(problem && { problem }) });

  pages.get('/challenges/new', async (request) => {
    callerOf(request);
    return show(request, draftOf({}));
  });

  pages.post('/challenges/new', async (request, reply) => {
    const form = formOf(request);
    const draft = draftOf(form);
    try {
      const caller = callerOf(request);
      if (form['step'] === 'edit') return show(request, draft);
      const asked = readChallenge(request, form, draft);
      if (form['step'] === 'ask') {
        const context = { db, clock, keyring, limits };
        const { challenge } = await createChallenge(context, caller, asked, `page:${draft.draft}`);
        noteEtched(reply, deps.baseUrl, draft.draft);
        return seeOther(reply, `/ch/${challenge.id}`);
      }
      const refusal = leadRefusal(asked.reveal_at, clock.now(), leadSeconds);
      if (refusal) throw refusal;
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
}

const ASKED =
  'you asked an earlier version of this question already, and it stays unchanged: the form below is a new draft';

function readChallenge(request: FastifyRequest, form: FormFields, draft: ChallengeDraft): ChallengeRequest {
  const written = composeQuestion(draft);
  if (typeof written !== 'string') throw badField(written.path, written.message);
  const sent = { ...form, question: written };
  const { reveal_at: revealAt, ...fields } = filled(sent, 'question', 'category_id', 'reveal_at');
  const { question, category_id, reveal_at } = checked(request, 'createChallenge', {
    ...fields,
    ...(revealAt !== undefined && { reveal_at: utcOf(revealAt) }),
  });
  return { question, category_id, reveal_at: parseDateTime(reveal_at)! };
}

function draftOf(form: FormFields): ChallengeDraft {
  const { question = '', asks, outcomes = '', unit = '', levels = '' } = form;
  const { category_id = '', reveal_at = '' } = form;
  return {
    draft: draftId(form),
    ...(asks === undefined ? questionFieldsOf(question) : { question, asks, outcomes, unit, levels }),
    category_id,
    reveal_at,
  };
}

interface ChallengeDraft extends QuestionFields {
  draft: string;
  category_id: string;
  reveal_at: string;
}

const HERE = '/challenges/new';
const NAMES = {
  question: { subject: 'The question', missing: 'Write the question' },
  outcomes: { subject: 'The list of outcomes', missing: 'List the outcomes' },
  unit: { subject: 'The unit', missing: 'Give the unit' },
  levels: { subject: 'The levels', missing: 'Give the levels' },
  category_id: TOPIC_NAME,
  reveal_at: { subject: 'The time at which it closes', missing: 'Set the time at which it closes' },
};
const FRAME = {
  unlisted: true,
  section: '/challenges',
  islands: ['compose.js', 'drafts.js'],
} as const;

type NewChallengeData = { draft: ChallengeDraft; problem?: FormProblem | undefined; leadSeconds: number };

export function newChallengePage(site: Site, { draft, problem, leadSeconds }: NewChallengeData): Page {
  return narrowPage(
    site,
    {
      ...FRAME,
      title: 'Ask a challenge',
      lead: 'Everyone may answer once. All answers stay sealed and open together at the time you set.',
      problem: problemText(problem, NAMES),
      typed: problem ? 'again' : 'edit',
    },
    <DraftList site={site} title="Drafts on this device" />,
    <PostForm
      id="composer"
      action={HERE}
      class="composer"
      noValidate
      composed
      {...keptForm(site, HERE, problem || draft.question ? 'sent' : 'empty')}
      sends={{ draft: draft.draft }}
    >
      <TextEntry
        name="question"
        label="The question"
        hint="Public at once and permanently. Ask so that anyone can check later whether an answer was right."
        value={draft.question}
        max={QUESTION_MAX}
        rows={3}
        words
      />
      <AsksEntry typed={draft} />
      <TopicEntry value={draft.category_id} />
      <DateEntry
        label="Closes at"
        value={draft.reveal_at}
        hint={`At the closing time the challenge stops taking answers, and all answers open. At least ${spanText(leadSeconds * 1000)} from now; you cannot change it later.`}
      />
      <PreviewStep text="Nothing is written yet." />
    </PostForm>,
    <DraftNote />,
  );
}

interface PreviewChallengeData {
  sent: Pick<ChallengeDraft, 'draft' | 'question' | 'category_id' | 'reveal_at'>;
  topic: string;
  revealAt: string;
  remaining: number;
}

export function previewChallengePage(site: Site, data: PreviewChallengeData): Page {
  const { sent, topic, revealAt, remaining } = data;
  const { question } = sent;
  const miss = almostForecastNote(question);
  return narrowPage(
    site,
    {
      ...FRAME,
      title: 'Check before you publish',
      description: 'Preview of a challenge',
      lead: 'You cannot edit or retract a challenge after you create it.',
      typed: 'again',
    },
    <blockquote class="words full" {...UNTRANSLATED}>
      {safe(questionText(question))}
    </blockquote>,
    miss !== null && (
      <Warning>Careful: {safe(miss)}. Press “Change something” to choose what the question asks for.</Warning>
    ),
    <ScriptsNote question={question} />,
    facts(
      ['Answers', safe(answerFormatText(parseQuestion(question)))],
      ['Topic', topic],
      ['Closes, and all answers open', <span data-local="">{atTime(revealAt, 'seconds')}</span>],
      ['Asked by', `@${site.viewer!.username}`],
    ),
    <PostForm id="composer" action={HERE} composed {...keptForm(site, HERE, 'sent')} sends={{ ...sent }}>
      <FinalStep step="ask" button="Ask it">
        <Warning plain>
          <strong>It cannot be edited.</strong> It uses one of the{' '}
          {Math.floor(remaining).toLocaleString('en')} challenges you have left for now.
        </Warning>
      </FinalStep>
    </PostForm>,
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
  const entry = (name: 'outcomes' | 'unit' | 'levels', label: string, hint: string) => (
    <LineEntry name={name} label={label} hint={hint} value={typed[name]} />
  );
  return (
    <fieldset class="panels">
      <legend>What it asks for</legend>
      {choice('text', 'Free text', 'Words of any kind. They are not scored.')}
      {choice('yes_no', 'Yes or no', 'A chance of yes, scored.')}
      {choice(
        'outcomes',
        'Several outcomes',
        'A chance of each, scored.',
        entry(
          'outcomes',
          'The outcomes',
          'Separated by commas, without spaces in a name: red, green, dark-blue',
        ),
      )}
      {choice('number', 'A number', 'A range for a number, scored.', [
        entry('unit', 'The unit', 'Such as mm, nights or EUR'),
        entry(
          'levels',
          'Quantile levels in percent (optional)',
          'An answer says for each level: the number is at most this, with this chance. Empty: 10 50 90',
        ),
      ])}
    </fieldset>
  );
}
