import { CONTENT_MAX, DESCRIPTION_MAX } from '@svc/contract';
import { SECTIONS, TEMPLATES } from '@svc/protocol/conventions';
import { renderPage } from '../layout.tsx';
import { DraftList, DraftNote, keptForm } from '../parts/drafts.tsx';
import { ForecastEntry } from '../parts/forecast-entry.tsx';
import {
  type FieldNames,
  type FormProblem,
  Hidden,
  Mode,
  PreviewStep,
  ProblemSummary,
  TextEntry,
  told,
} from '../parts/form.tsx';
import { Glyph } from '../parts/glyph.tsx';
import { FileEntry, KindChoice, SectionEntries } from '../parts/write-entries.tsx';
import { Text, Time } from '../parts/values.tsx';
import { TOPIC_NAME, TopicEntry } from '../parts/topic-and-date.tsx';
import { WhenShown } from '../parts/when-shown.tsx';
import type { Page, Site } from '../site.ts';
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
} from '../parts/etch-draft.ts';
import { questionText } from '../questions.ts';

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
  { draft, answering, problem: refused, leadSeconds, isMisfit, sent }: WriteData,
): Page {
  const challenge = challengeOf(draft, answering);
  const fields = forecastFields(draft, answering?.question);
  const takesFiles = !answering || askedBy(answering.question)?.asks === 'text';
  const problem = told(refused, namesOf(fields));
  const isPlan = kindOf(draft) === PREREGISTRATION;
  const title = challenge ? 'Answer a challenge' : isPlan ? 'Write a preregistration' : 'Write an etch';
  return renderPage(
    site,
    {
      title: problem ? `Not done yet: ${title}` : title,
      description: title,
      unlisted: true,
      section: '/write',
      islands: [
        'compose.js',
        ...(takesFiles && !isPlan ? (['files.js'] as const) : []),
        ...(site.drand && !challenge && !isPlan ? (['blind.js'] as const) : []),
        'drafts.js',
      ],
      form: { id: 'composer', then: problem ? 'again' : 'edit' },
    },
    <div class="narrow">
      <header class="page-head">
        <h1>{title}</h1>
        {challenge ? (
          <p class="lead">
            <a href={`/ch/${encodeURIComponent(challenge)}`}>
              {answering ? <Text>{questionText(answering.question)}</Text> : 'The challenge it answers'}
            </a>
          </p>
        ) : (
          <p class="lead">Nobody can change it later.</p>
        )}
        {!challenge && (
          <p class="hint">
            Examples:{' '}
            {Object.keys(TEMPLATES).map((name, at) => (
              <>
                {at > 0 && ', '}
                <a href={`/write?template=${name}`}>{name}</a>
              </>
            ))}
          </p>
        )}
      </header>
      <ProblemSummary problem={problem} />
      <DraftList site={site} title="Drafts on this device" />
      <form
        id="composer"
        method="post"
        action="/write"
        class="composer"
        noValidate
        data-compose=""
        {...keptForm(
          site,
          formPath(draft, challenge),
          sent ? 'sent' : draft.content === '' && (isPlan || draft.kind === undefined) ? 'empty' : 'begun',
        )}
      >
        <Hidden values={{ draft: draft.draft, ...(challenge && { challenge_id: challenge }) }} />
        {isPlan ? (
          <SectionEntries draft={draft} problem={problem} />
        ) : (
          <>
            {!challenge && <KindChoice chosen={kindOf(draft)} />}
            <ForecastEntry draft={draft} question={answering?.question} problem={problem} />
            {takesFiles && <FileEntry draft={draft} problem={problem} />}
          </>
        )}
        <div class={challenge || isPlan ? '' : 'beside'}>
          {!isPlan && (
            <TextEntry
              name="content"
              label="Your words"
              hint={
                challenge
                  ? 'Hidden until the challenge closes, then public. Every character is hashed.'
                  : 'Public at once, or on the date you set below. Every character is hashed.'
              }
              value={draft.content}
              max={CONTENT_MAX}
              rows={6}
              words
              problem={problem}
            />
          )}
          {!challenge && (
            <TextEntry
              name="description"
              label="Description"
              hint={
                <>
                  <Glyph name="revealed" /> <strong>Public at once and permanently</strong>, even if you seal
                  the words. Say what they are about, without giving them away.
                </>
              }
              value={draft.description}
              max={DESCRIPTION_MAX}
              rows={4}
              problem={problem}
            />
          )}
        </div>
        {challenge ? (
          <Terms answering={answering} />
        ) : (
          <>
            <TopicEntry value={draft.category_id} problem={problem} />
            <WhenShown
              site={isPlan ? { ...site, drand: undefined } : site}
              draft={draft}
              problem={problem}
              lead={leadSeconds}
            />
          </>
        )}
        {isMisfit && (
          <Mode type="checkbox" name="as_text" value="on" title="Etch it as a text anyway">
            It gets no score, and nobody can check its files.
          </Mode>
        )}
        <PreviewStep said="Nothing is written yet." />
      </form>
      <DraftNote />
    </div>,
  );
}

function Terms({ answering }: { answering: Answering | undefined }) {
  if (!answering)
    return (
      <p class="note">
        This answers a challenge, which sets the topic and the time at which it opens. You can answer once.
      </p>
    );
  return (
    <p class="note">
      Your answer opens with all others on <Time at={answering.revealAt} precision="seconds" />. Its topic is{' '}
      {answering.topic}. You can answer once. Your name and the day of your answer are public at once.
    </p>
  );
}
