import { sharedWords } from '@svc/protocol';
import { CONTENT_MAX, DESCRIPTION_MAX, TOPICS } from '@svc/contract';
import type { ComponentChildren, VNode } from 'preact';
import { renderPage } from '../layout.tsx';
import { Facts } from '../parts/facts.tsx';
import { Entry, type FormProblem, Hidden, LineEntry, ProblemSummary, TextEntry } from '../parts/form.tsx';
import { Glyph } from '../parts/glyph.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { spanText } from '../time-text.ts';
import type { Page, Site } from '../site.ts';

/** An etch as far as it is written: everything as typed, or empty. */
export interface EtchDraft {
  /** the Idempotency-Key: one draft etches once, however often it is sent */
  draft: string;
  content: string;
  description: string;
  category_id: string;
  mode: string;
  /** as the date field holds it, in UTC */
  reveal_at: string;
  /** the challenge it answers: it stays bound to it, also while what the challenge says cannot be read */
  challenge_id?: string | undefined;
}

/** The challenge it answers, which sets topic, description and time. */
export interface Answering {
  id: string;
  question: string;
  topic: string;
  revealAt: string;
}

const LABELS = {
  content: 'Your words',
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
  const title = challenge ? 'Answer a challenge' : 'Write an etch';
  return renderPage(
    site,
    {
      title: problem ? `Not done yet: ${title}` : title,
      description: title,
      unlisted: true,
      section: '/write',
      islands: ['compose.js'],
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
      </header>
      <ProblemSummary problem={problem} labels={LABELS} />
      <form method="post" action="/write" class="composer" noValidate data-compose="">
        <Hidden values={{ draft: draft.draft, ...(challenge && { challenge_id: challenge }) }} />
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
        {challenge ? (
          <Terms answering={answering} />
        ) : (
          <Choices draft={draft} problem={problem} lead={leadSeconds} />
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

/** An answer is never shown as an etch of its own, which could be public at once. */
const challengeOf = ({ challenge_id: id }: EtchDraft, answering: Answering | undefined): string | undefined =>
  answering?.id ?? (id || undefined);

function Choices({
  draft,
  problem,
  lead,
}: {
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

export function TopicEntry({ value, problem }: { value: string; problem: FormProblem | undefined }): VNode {
  return (
    <Entry name="category_id" label="Topic" problem={problem}>
      {(attributes) => (
        <select {...attributes}>
          <option value="" selected={value === ''}>
            Choose a topic
          </option>
          {TOPICS.map(({ id, label }) => (
            <option value={id} selected={id === value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Entry>
  );
}

/** In UTC without scripts; with them a field in the reader's own time stands beside it. */
export function DateEntry({
  label,
  value,
  hint,
  problem,
}: {
  label: string;
  value: string;
  hint: string;
  problem: FormProblem | undefined;
}): VNode {
  return (
    <>
      <p class="hint" id="date-hint">
        {hint}
      </p>
      <div data-utc="">
        <LineEntry
          name="reveal_at"
          type="datetime-local"
          label={`${label} (UTC)`}
          describedBy="date-hint"
          value={value}
          problem={problem}
        />
      </div>
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

/** A description outlives what it describes: what it gives away of the text, no retraction takes back. */
function GivenAway({ draft: { description, content } }: { draft: EtchDraft }): VNode | null {
  const shared = sharedWords(description, content);
  if (shared === null) return null;
  return (
    <p class="note">
      <Glyph name="warn" />{' '}
      <span>
        The description gives “<Text>{shared}</Text>” of the text away. It is public at once, and stays when
        you retract the text.
      </span>
    </p>
  );
}

export interface PreviewData {
  draft: EtchDraft;
  answering?: Answering | undefined;
  topic: string;
  /** when it opens; null for what is public at once */
  revealAt: string | null;
  /** etches left today */
  remaining: number;
}

export function previewEtchPage(site: Site, data: PreviewData): Page {
  const { draft, answering, topic, revealAt, remaining } = data;
  const challenge = challengeOf(draft, answering);
  return renderPage(
    site,
    {
      title: 'Once more before it counts',
      description: 'Preview of an etch',
      unlisted: true,
      section: '/write',
      islands: ['compose.js'],
    },
    <div class="narrow">
      <header class="page-head">
        <h1>Once more before it counts</h1>
        <p class="lead">Read it as others will. After the next step nobody can edit it.</p>
      </header>
      <blockquote class="words full">
        <Text>{draft.content}</Text>
      </blockquote>
      <Facts
        facts={[
          answering
            ? {
                label: 'Answers',
                value: <Text>{answering.question}</Text>,
              }
            : {
                label: 'Description, public at once',
                value: <Text>{draft.description}</Text>,
              },
          { label: 'Topic', value: topic },
          {
            label: 'Words shown',
            value: revealAt ? (
              <span data-local="">
                sealed until <Time at={revealAt} precision="seconds" />
              </span>
            ) : (
              'at once, to everybody'
            ),
          },
          { label: 'Author', value: <>@{site.viewer!.username}, bound into the hash</> },
          {
            label: 'Length',
            value: `${[...draft.content].length.toLocaleString('en')} characters, hashed exactly as typed`,
          },
        ]}
      />
      {!answering && <GivenAway draft={draft} />}
      <form method="post" action="/write" data-compose="">
        <Hidden
          values={{
            draft: draft.draft,
            content: draft.content,
            description: draft.description,
            category_id: draft.category_id,
            mode: draft.mode,
            reveal_at: draft.reveal_at,
            ...(challenge && { challenge_id: challenge }),
          }}
        />
        <div class="note final">
          <p>
            <Glyph name="warn" />{' '}
            <span>
              <strong>It cannot be edited.</strong> You could retract it later: that erases the words and
              leaves a public mark that something was there. It spends one of the{' '}
              {Math.floor(remaining).toLocaleString('en')} etches you have left for now.
            </span>
          </p>
          <p class="actions">
            <button type="submit" name="step" value="etch">
              {revealAt ? 'Seal it' : 'Etch it'}
            </button>
            <button type="submit" name="step" value="edit" class="secondary">
              Change something
            </button>
          </p>
        </div>
      </form>
    </div>,
  );
}
