import { sharedWords } from '@svc/protocol';
import type { VNode } from 'preact';
import { renderPage } from '../layout.tsx';
import { Convention } from '../parts/convention.tsx';
import { keptForm } from '../parts/drafts.tsx';
import { Facts } from '../parts/facts.tsx';
import { Hidden } from '../parts/form.tsx';
import { Glyph } from '../parts/glyph.tsx';
import { ScriptsNote } from '../parts/scripts-note.tsx';
import { SealTerms } from '../parts/seal-terms.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { questionText } from '../question-text.ts';
import type { Page, Site } from '../site.ts';
import { type Answering, challengeOf, type EtchDraft, wordsMisfit } from '../parts/etch-draft.ts';

export interface PreviewData {
  draft: EtchDraft;
  answering?: Answering | undefined;
  topic: string;
  /** when it opens; null if it is public at once */
  revealAt: string | null;
  /** etches left today */
  remaining: number;
}

export function previewEtchPage(site: Site, data: PreviewData): Page {
  const { draft, answering, topic, revealAt, remaining } = data;
  const challenge = challengeOf(draft, answering);
  const misfit = wordsMisfit(draft.content, answering?.question);
  return renderPage(
    site,
    {
      title: 'Check before you publish',
      description: 'Preview of an etch',
      unlisted: true,
      section: '/write',
      islands: ['compose.js', 'drafts.js'],
      form: { id: 'composer', then: 'again' },
    },
    <div class="narrow">
      <header class="page-head">
        <h1>Check before you publish</h1>
        <p class="lead">Read it as others will. After the next step nobody can edit it.</p>
      </header>
      <blockquote class="words full">
        <Text>{draft.content}</Text>
      </blockquote>
      <Convention content={draft.content} />
      <ScriptsNote content={draft.content} />
      {misfit !== null && (
        <p class="note">
          <Glyph name="warn" />{' '}
          <span>
            It is a mere text, as you asked: <Text>{misfit}</Text>.
          </span>
        </p>
      )}
      <Facts
        facts={[
          answering
            ? {
                label: 'Answers',
                value: <Text>{questionText(answering.question)}</Text>,
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
      {revealAt && (
        <SealTerms
          open={[
            <>your name, @{site.viewer!.username}, and today’s date</>,
            answering ? 'that you answered this challenge' : 'the description and the topic above',
            'the hash of your words, and when they open',
          ]}
          hidden={['your words, from everybody, you included', 'the exact time of writing']}
          until={<Time at={revealAt} precision="seconds" />}
        />
      )}
      {!answering && <GivenAway draft={draft} />}
      <form
        id="composer"
        method="post"
        action="/write"
        data-compose=""
        {...keptForm(site, challenge ? `/write?challenge=${challenge}` : '/write', 'sent')}
      >
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
        {revealAt && (
          <p class="note copy-kept">
            <span>
              <strong>Keep a copy.</strong> Once it is sealed, nobody can show you these words before they
              open.
            </span>{' '}
            <button type="submit" name="step" value="copy" class="secondary">
              Save your words
            </button>
          </p>
        )}
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

/** A description survives a retraction, and so does what it reveals about the text. */
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
