import { QUESTION_MAX } from '@svc/contract';
import { parseQuestion } from '@svc/protocol/conventions';
import { answersText, nearMiss, type TypedAsks } from '../asks.ts';
import { Narrow, renderPage } from '../layout.tsx';
import { AsksEntry } from '../parts/asks-entry.tsx';
import { DraftList, DraftNote, keptForm } from '../parts/drafts.tsx';
import {
  FinalStep,
  type FormProblem,
  Hidden,
  PreviewStep,
  ProblemSummary,
  TextEntry,
  told,
} from '../parts/form.tsx';
import { Fact, Facts, Text, Time } from '../parts/values.tsx';
import { DateEntry, TOPIC_NAME, TopicEntry } from '../parts/topic-and-date.tsx';
import { spanText } from '../format.ts';
import type { Page, Site } from '../site.ts';
import { Warning } from '../parts/sign.tsx';
import { questionText } from '../questions.ts';
import { ScriptsNote } from '../parts/convention.tsx';

export interface ChallengeDraft extends TypedAsks {
  draft: string;
  category_id: string;
  reveal_at: string;
}

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

type NewChallengeBeside = { draft: ChallengeDraft; problem?: FormProblem | undefined; leadSeconds: number };

export function newChallengePage(site: Site, beside: NewChallengeBeside): Page {
  const { draft, problem: refused, leadSeconds } = beside;
  const problem = told(refused, NAMES);
  const title = 'Ask a challenge';
  return renderPage(
    site,
    {
      ...FRAME,
      title: problem ? `Not done yet: ${title}` : title,
      description: title,
      form: { id: 'composer', then: problem ? 'again' : 'edit' },
    },
    <Narrow
      heading={title}
      lead="Everyone may answer once. All answers stay sealed and open together at the time you set."
    >
      <ProblemSummary problem={problem} />
      <DraftList site={site} title="Drafts on this device" />
      <form
        id="composer"
        method="post"
        action="/challenges/new"
        class="composer"
        noValidate
        data-compose=""
        {...keptForm(site, '/challenges/new', problem || draft.question ? 'sent' : 'empty')}
      >
        <Hidden values={{ draft: draft.draft }} />
        <TextEntry
          name="question"
          label="The question"
          hint="Public at once and permanently. Ask so that anyone can check later whether an answer was right."
          value={draft.question}
          max={QUESTION_MAX}
          rows={3}
          words
          problem={problem}
        />
        <AsksEntry typed={draft} problem={problem} />
        <TopicEntry value={draft.category_id} problem={problem} />
        <DateEntry
          label="Closes at"
          value={draft.reveal_at}
          problem={problem}
          hint={`At the closing time the challenge stops taking answers, and all answers open. At least ${spanText(leadSeconds * 1000)} from now; you cannot change it later.`}
        />
        <PreviewStep said="Nothing is written yet." />
      </form>
      <DraftNote />
    </Narrow>,
  );
}

interface PreviewChallengeBeside {
  sent: Pick<ChallengeDraft, 'draft' | 'question' | 'category_id' | 'reveal_at'>;
  topic: string;
  revealAt: string;
  remaining: number;
}

export function previewChallengePage(site: Site, beside: PreviewChallengeBeside): Page {
  const { sent, topic, revealAt, remaining } = beside;
  const { question } = sent;
  const miss = nearMiss(question);
  return renderPage(
    site,
    {
      ...FRAME,
      title: 'Check before you publish',
      description: 'Preview of a challenge',
      form: { id: 'composer', then: 'again' },
    },
    <Narrow
      heading="Check before you publish"
      lead="You cannot edit or retract a challenge after you create it."
    >
      <blockquote class="words full">
        <Text>{questionText(question)}</Text>
      </blockquote>
      {miss !== null && (
        <Warning>
          Careful: <Text>{miss}</Text>. Press “Change something” to choose what the question asks for.
        </Warning>
      )}
      <ScriptsNote question={question} />
      <Facts>
        <Fact label="Answers" value={<Text>{answersText(parseQuestion(question))}</Text>} />
        <Fact label="Topic" value={topic} />
        <Fact label="Closes, and all answers open">
          <span data-local="">
            <Time at={revealAt} precision="seconds" />
          </span>
        </Fact>
        <Fact label="Asked by" value={`@${site.viewer!.username}`} />
      </Facts>
      <form
        id="composer"
        method="post"
        action="/challenges/new"
        data-compose=""
        {...keptForm(site, '/challenges/new', 'sent')}
      >
        <Hidden values={sent} />
        <FinalStep step="ask" button="Ask it">
          <Warning plain>
            <strong>It cannot be edited.</strong> It uses one of the{' '}
            {Math.floor(remaining).toLocaleString('en')} challenges you have left for now.
          </Warning>
        </FinalStep>
      </form>
    </Narrow>,
  );
}
