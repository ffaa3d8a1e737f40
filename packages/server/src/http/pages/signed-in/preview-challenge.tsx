// Shows a new challenge to its author as forecasters will see it.
import { isYesNo, parseQuestion } from '@svc/protocol/conventions';
import { questionText } from '@svc/web/etch-text';
import { narrowPage } from '@svc/web/layout';
import { OpenTag } from '@svc/web/parts/challenge-card';
import { answerRow, partRows, resolvedByRow } from '@svc/web/parts/challenge-terms';
import { ScriptsNote } from '@svc/web/parts/convention';
import { Change, FinalStep, keptForm } from '@svc/web/parts/drafts';
import { ForecastEntry } from '@svc/web/parts/forecast-entry';
import { PostForm } from '@svc/web/parts/form';
import { Warning } from '@svc/web/parts/sign';
import { atTime, Exact, facts, safe } from '@svc/web/parts/values';
import { almostForecastNote } from '@svc/web/question-fields';
import type { Page, Site } from '@svc/web/site';
import { draftOf } from './etch-form.ts';

export const NEW_CHALLENGE = '/challenges/new';

export const CHALLENGE_FRAME = {
  unlisted: true,
  section: '/challenges',
  islands: ['compose.js', 'drafts.js', 'times.js'],
} as const;

interface PreviewChallengeData {
  sent: Readonly<Record<'draft' | 'question' | 'category_id' | 'reveal_at', string>>;
  topic: string;
  revealAt: string;
  remaining: number;
}

const change = (field: string, what: string) => <Change path={NEW_CHALLENGE} field={field} what={what} />;

/** The fields of the kind “Yes or no” are fixed. */
function changeOfAnswer(question: string) {
  const format = parseQuestion(question);
  if (format.asks === 'number') return change('unit', 'the unit');
  return format.asks === 'outcomes' && !isYesNo(format.outcomes) && change('outcomes', 'the outcomes');
}

export function previewChallengePage(site: Site, data: PreviewChallengeData): Page {
  const { sent, topic, revealAt, remaining } = data;
  const { question } = sent;
  const miss = almostForecastNote(question);
  const isText = parseQuestion(question).asks === 'text';
  return narrowPage(
    site,
    {
      ...CHALLENGE_FRAME,
      title: 'Check before you publish',
      description: 'Preview of a challenge',
      lead: 'Forecasters will see this. You cannot edit or retract a challenge after you create it.',
      typed: 'again',
    },
    miss !== null && (
      <Warning>Careful: {safe(miss)}. Press “Change something” to choose what the question asks for.</Warning>
    ),
    <ScriptsNote question={question} />,
    <section class="card seen" aria-label="What forecasters will see">
      <p class="card-top">
        <OpenTag challenge={{ closed: false, question }} outcome={undefined} />
        <span class="quiet">
          {topic} {change('category_id', 'the topic')}
        </span>
      </p>
      <h2>{safe(questionText(question))}</h2>
      <p class="byline">
        by @{site.viewer!.username} {change('question', 'the question')}
      </p>
      {facts(
        [...answerRow(question), ' ', changeOfAnswer(question)],
        ...partRows(question).map(
          ([label, value]) =>
            [label, value, ' ', change(label.toLowerCase(), `the ${label.toLowerCase()}`)] as const,
        ),
        resolvedByRow(question, `@${site.viewer!.username}`),
        ['Closes', atTime(revealAt), ' ', change('reveal_at', 'the closing time')],
      )}
      <fieldset class="boxes" disabled>
        <legend>Their answer</legend>
        <ForecastEntry draft={{ ...draftOf({}), draft: '' }} question={question} />
        <p class="hint">{isText ? 'A field for words.' : 'And a field for reasons, which are optional.'}</p>
      </fieldset>
    </section>,
    <Exact summary="Exactly what is stored and counted">{question}</Exact>,
    <PostForm
      id="composer"
      action={NEW_CHALLENGE}
      composed
      {...keptForm(site, NEW_CHALLENGE, 'sent')}
      sends={{ ...sent }}
    >
      <FinalStep step="ask" button="Ask it">
        <Warning plain>
          <strong>It cannot be edited.</strong> It uses one of the{' '}
          {Math.floor(remaining).toLocaleString('en')} challenges you have left for now.
        </Warning>
      </FinalStep>
    </PostForm>,
  );
}
