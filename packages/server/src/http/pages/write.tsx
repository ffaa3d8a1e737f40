import { CONTENT_MAX, DESCRIPTION_MAX } from '@svc/contract';
import { SECTIONS, TEMPLATES } from '@svc/protocol/conventions';
import { narrowPage } from '@svc/web/layout';
import { DraftList, DraftNote, PreviewStep, keptForm } from '@svc/web/parts/drafts';
import { ForecastEntry } from '@svc/web/parts/forecast-entry';
import {
  type FieldNames,
  type FormProblem,
  Mode,
  PostForm,
  TextEntry,
  problemText,
  TOPIC_NAME,
  TopicEntry,
} from '@svc/web/parts/form';
import { safe, atTime } from '@svc/web/parts/values';
import { say } from '@svc/web/parts/prose';
import type { Page, Site } from '@svc/web/site';
import {
  type Answering,
  askedBy,
  challengeOf,
  type EtchDraft,
  fieldLabel,
  type ForecastField,
  forecastFields,
  formPath,
  kindOf,
  PREREGISTRATION,
  sectionField,
} from '@svc/web/parts/etch-draft';
import { questionText } from '@svc/web/etch-text';
import { FileEntry, KindChoice, SectionEntries, WhenShown } from '@svc/web/parts/write-entries';
import { Glyph } from '@svc/web/parts/tag';

function namesOf(fields: readonly ForecastField[]): FieldNames {
  return {
    forecast: { subject: 'The forecast', missing: 'Give a forecast' },
    ...Object.fromEntries(
      fields.map((field, at) => {
        const label = fieldLabel(field) || `Outcome ${at}`;
        return [`forecast_${at}`, { subject: `“${label}”`, missing: `Give a number for “${label}”` }];
      }),
    ),
    forecast_line: { subject: 'The line of the forecast', missing: 'Write the line of the forecast' },
    files: { subject: 'The files', missing: 'Add files, or choose “Text”' },
    ...Object.fromEntries(
      SECTIONS.map((name) => [
        sectionField(name),
        { subject: `“${name}”`, missing: `Write the section “${name}”` },
      ]),
    ),
    content: { subject: 'Your text', missing: 'Write your words' },
    description: { subject: 'The description', missing: 'Write a description' },
    category_id: TOPIC_NAME,
    mode: { subject: 'When it is shown', missing: 'Choose when it is shown' },
    reveal_at: { subject: 'The time at which it opens', missing: 'Set the time at which it opens' },
  };
}

export interface WriteData {
  draft: EtchDraft;
  answering?: Answering | undefined;
  problem?: FormProblem | undefined;
  leadSeconds: number;
  /** the words do not fit a convention or the question; the author may confirm them */
  isMisfit?: boolean;
  sent?: boolean;
}

export function writePage(
  site: Site,
  { draft, answering, problem, leadSeconds, isMisfit, sent }: WriteData,
): Page {
  const challenge = challengeOf(draft, answering);
  const fields = forecastFields(draft, answering?.question);
  const takesFiles = !answering || askedBy(answering.question)?.asks === 'text';
  const isPlan = kindOf(draft) === PREREGISTRATION;
  return narrowPage(
    site,
    {
      title: challenge ? 'Answer a challenge' : isPlan ? 'Write a preregistration' : 'Write an etch',
      lead: challenge ? (
        <a href={`/ch/${encodeURIComponent(challenge)}`}>
          {answering ? safe(questionText(answering.question)) : 'The challenge it answers'}
        </a>
      ) : (
        'Nobody can change it later.'
      ),
      more: !challenge && <p class="hint">Examples: {examples()}</p>,
      problem: problemText(problem, namesOf(fields)),
      unlisted: true,
      section: '/write',
      islands: [
        'compose.js',
        takesFiles && !isPlan && 'files.js',
        site.drand && !challenge && !isPlan && 'blind.js',
        'drafts.js',
      ],
      typed: problem ? 'again' : 'edit',
    },
    <DraftList site={site} title="Drafts on this device" />,
    <PostForm
      id="composer"
      action="/write"
      class="composer"
      noValidate
      composed
      {...keptForm(
        site,
        formPath(draft, challenge),
        sent ? 'sent' : draft.content === '' && (isPlan || draft.kind === undefined) ? 'empty' : 'begun',
      )}
      sends={{ draft: draft.draft, ...(challenge && { challenge_id: challenge }) }}
    >
      {isPlan ? (
        <SectionEntries draft={draft} />
      ) : (
        <>
          {!challenge && <KindChoice chosen={kindOf(draft)} />}
          <ForecastEntry draft={draft} question={answering?.question} />
          {takesFiles && <FileEntry draft={draft} />}
        </>
      )}
      <div class={challenge || isPlan ? '' : 'beside'}>
        {!isPlan && (
          <TextEntry
            name="content"
            label="Your words"
            hint={`${challenge ? 'Hidden until the challenge closes, then public.' : 'Public at once, or on the date you set below.'} Every character is hashed.`}
            value={draft.content}
            max={CONTENT_MAX}
            rows={6}
            words
          />
        )}
        {!challenge && (
          <TextEntry
            name="description"
            label="Description"
            hint={say`
              ${<Glyph name="revealed" />} **Public at once and permanently**, even if you seal the words. Say
              what they are about, without giving them away.
            `}
            value={draft.description}
            max={DESCRIPTION_MAX}
            rows={4}
          />
        )}
      </div>
      {challenge ? (
        <p class="note">{terms(answering)}</p>
      ) : (
        <>
          <TopicEntry value={draft.category_id} />
          <WhenShown drand={isPlan ? undefined : site.drand} draft={draft} lead={leadSeconds} />
        </>
      )}
      {isMisfit && (
        <Mode type="checkbox" name="as_text" value="on" title="Etch it as a text anyway">
          It gets no score, and nobody can check its files.
        </Mode>
      )}
      <PreviewStep said="Nothing is written yet." />
    </PostForm>,
    <DraftNote />,
  );
}

const examples = () =>
  Object.keys(TEMPLATES).map((name, at) => [at > 0 && ', ', <a href={`/write?template=${name}`}>{name}</a>]);

const terms = (answering: Answering | undefined) =>
  answering
    ? say`
        Your answer opens with all others on ${atTime(answering.revealAt, 'seconds')}. Its topic is
        ${answering.topic}. You can answer once. Your name and the day of your answer are public at once.
      `
    : 'This answers a challenge, which sets the topic and the time at which it opens. You can answer once.';
