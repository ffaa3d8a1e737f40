import { CONTENT_MAX, DESCRIPTION_MAX } from '@svc/contract';
import { parseQuestion, TEMPLATES } from '@svc/protocol/conventions';
import type { ComponentChildren, VNode } from 'preact';
import { renderPage } from '../layout.tsx';
import { BlindChoice } from '../parts/blind-choice.tsx';
import { type FormProblem, Hidden, LineEntry, ProblemSummary, TextEntry } from '../parts/form.tsx';
import { FileDrop } from '../parts/file-drop.tsx';
import { Glyph } from '../parts/glyph.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { DateEntry, TopicEntry } from '../parts/topic-and-date.tsx';
import { spanText } from '../time-text.ts';
import type { Page, Site } from '../site.ts';
import { type Answering, challengeOf, type EtchDraft, wordsMisfit } from './etch-draft.ts';

const LABELS = {
  content: 'Your words',
  forecast: 'Forecast',
  description: 'Description',
  category_id: 'Topic',
  mode: 'When it is shown',
  reveal_at: 'Opens at',
};

export interface WriteData {
  draft: EtchDraft;
  answering?: Answering | undefined;
  problem?: FormProblem | undefined;
  /** how far ahead a date must lie at least */
  leadSeconds: number;
}

export function writePage(site: Site, { draft, answering, problem, leadSeconds }: WriteData): Page {
  const challenge = challengeOf(draft, answering);
  const misfit = wordsMisfit(draft.content, answering?.question);
  const title = challenge ? 'Answer a challenge' : 'Write an etch';
  return renderPage(
    site,
    {
      title: problem ? `Not done yet: ${title}` : title,
      description: title,
      unlisted: true,
      section: '/write',
      islands: challenge
        ? ['compose.js']
        : ['compose.js', 'files.js', ...(site.drand ? (['blind.js'] as const) : [])],
    },
    <div class="narrow">
      <header class="page-head">
        <h1>{title}</h1>
        {challenge ? (
          <p class="lead">
            <a href={`/ch/${encodeURIComponent(challenge)}`}>
              {answering ? <Text>{answering.question}</Text> : 'The challenge it answers'}
            </a>
          </p>
        ) : (
          <p class="lead">
            Commit to a text now. Nobody can change it later, you included; you will see it once more before
            it counts.
          </p>
        )}
        {!challenge && (
          <p class="quiet">
            Worked texts to begin with:{' '}
            {Object.keys(TEMPLATES).map((name, at) => (
              <>
                {at > 0 && ', '}
                <a href={`/write?template=${name}`}>{name}</a>
              </>
            ))}
          </p>
        )}
      </header>
      <ProblemSummary problem={problem} labels={LABELS} />
      <form method="post" action="/write" class="composer" noValidate data-compose="">
        <Hidden values={{ draft: draft.draft, ...(challenge && { challenge_id: challenge }) }} />
        <div data-sent="">
          <ForecastEntry draft={draft} question={answering?.question} problem={problem} />
        </div>
        <div class={challenge ? '' : 'beside'}>
          <TextEntry
            name="content"
            label="Your words"
            hint={
              challenge
                ? 'Hidden from everybody until the challenge closes; then shown to everybody.'
                : 'Shown at once, or on the date you set below. Every character counts: this is what is hashed.'
            }
            value={draft.content}
            max={CONTENT_MAX}
            rows={challenge ? 8 : 9}
            words
            problem={problem}
          />
          {!challenge && (
            <TextEntry
              name="description"
              label="Description"
              hint={
                <>
                  <Glyph name="revealed" /> <strong>Public at once</strong>, for sealed etches too, and for
                  ever: what is it about? Do not give away here what you seal.
                </>
              }
              value={draft.description}
              max={DESCRIPTION_MAX}
              rows={4}
              problem={problem}
            />
          )}
        </div>
        {!challenge && <FileDrop />}
        {challenge ? (
          <Terms answering={answering} />
        ) : (
          <Choices site={site} draft={draft} problem={problem} lead={leadSeconds} />
        )}
        {problem && misfit !== null && (
          <label class="mode">
            <input type="checkbox" name="as_text" value="on" />
            <span>
              <strong>Etch it as a text all the same</strong>
              <span class="quiet">It will be in no score, and its files can be checked by nobody.</span>
            </span>
          </label>
        )}
        <p class="actions">
          <button type="submit" name="step" value="preview">
            See it once more
          </button>
          <span class="quiet">Nothing is written yet.</span>
        </p>
      </form>
    </div>,
  );
}

/** What a forecast says in numbers; the words below it are its reasons. Not there where a text is asked for. */
function ForecastEntry({
  draft,
  question,
  problem,
}: {
  draft: EtchDraft;
  question: string | undefined;
  problem: FormProblem | undefined;
}): VNode | null {
  const asked = question === undefined ? null : parseQuestion(question);
  if (asked?.asks === 'text') return null;
  const hint =
    asked === null ? (
      <>
        Only if you make one: <code>yes=0.72</code>, or <code>red=0.5 blue=0.5</code>, or{' '}
        <code>q10=3 q50=5 q90=9</code>. It becomes the first line of your words.
      </>
    ) : asked.asks === 'number' ? (
      <>
        Values below which it lies so often, in <Text>{asked.unit}</Text>: <code>q10=3 q50=5 q90=9</code>
      </>
    ) : (
      <>
        A probability from 0 to 1 for each, which sum to 1:{' '}
        <code>
          <Text>{asked.outcomes.map((name) => `${name}=`).join(' ')}</Text>
        </code>
      </>
    );
  const entry = (
    <LineEntry name="forecast" label="Forecast" hint={hint} value={draft.forecast} problem={problem} mono />
  );
  if (asked !== null) return entry;
  // Most texts are none.
  return (
    <details open={draft.forecast !== '' || problem !== undefined}>
      <summary>Say it in numbers: a forecast</summary>
      {entry}
    </details>
  );
}

function Choices({
  site,
  draft,
  problem,
  lead,
}: {
  site: Site;
  draft: EtchDraft;
  problem: FormProblem | undefined;
  lead: number;
}): VNode {
  const wrong = problem?.details?.some(({ path }) => path === 'mode');
  return (
    <>
      <TopicEntry value={draft.category_id} problem={problem} />
      <fieldset class={`modes${wrong ? ' wrong' : ''}`} id="mode" tabindex={-1}>
        <legend>When it is shown</legend>
        <Mode value="instant" chosen={draft.mode} title="Public at once">
          Everybody can read it as soon as it is written.
        </Mode>
        <Mode value="delayed" chosen={draft.mode} title="Sealed until a date">
          Until then only its hash, its description and the day are public. It opens by itself.
        </Mode>
        {site.drand && <BlindChoice chain={site.drand} lead={lead} />}
        <div class="when">
          <DateEntry
            label="Opens at"
            value={draft.reveal_at}
            problem={problem}
            hint={`At least ${spanText(lead * 1000)} from now. It cannot be moved later.`}
          />
        </div>
      </fieldset>
    </>
  );
}

function Mode({
  value,
  chosen,
  title,
  children,
}: {
  value: 'instant' | 'delayed';
  chosen: string;
  title: string;
  children: ComponentChildren;
}): VNode {
  return (
    <label class="mode">
      <input type="radio" name="mode" value={value} checked={value === chosen} />
      <span>
        <strong>{title}</strong>
        <span class="quiet">{children}</span>
      </span>
    </label>
  );
}

function Terms({ answering }: { answering: Answering | undefined }): VNode {
  if (!answering)
    return (
      <p class="note">
        This is an answer to a challenge, and nothing else is made of it: the challenge sets its topic and
        when it opens. You can answer once.
      </p>
    );
  return (
    <p class="note">
      The challenge sets the rest: your answer opens with all others on{' '}
      <Time at={answering.revealAt} precision="seconds" />, its topic is {answering.topic}, and you can answer
      once. That you answered, and on which day, is public at once.
    </p>
  );
}
