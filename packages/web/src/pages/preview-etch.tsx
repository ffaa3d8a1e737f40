import { sharedWords } from '@svc/protocol';
import { Narrow, renderPage } from '../layout.tsx';
import { Convention, ScriptsNote } from '../parts/convention.tsx';
import { keptForm } from '../parts/drafts.tsx';
import { FinalStep, Hidden, ProblemSummary, told } from '../parts/form.tsx';
import { SealTerms } from '../parts/seal-terms.tsx';
import { Exact, Fact, Facts, Text, Time } from '../parts/values.tsx';
import type { Page, Site } from '../site.ts';
import { isRoot, shownWords } from '../words-text.ts';
import { type Answering, challengeOf, type EtchDraft, formPath, wordsMisfit } from '../parts/etch-draft.ts';
import { Warning } from '../parts/sign.tsx';
import { questionText } from '../questions.ts';
import { MANIFEST_UNSAVED, ManifestSaved } from '../parts/write-entries.tsx';

interface PreviewData {
  draft: EtchDraft;
  answering?: Answering | undefined;
  topic: string;
  revealAt: string | null;
  remaining: number;
  unsaved?: boolean;
}

export function previewEtchPage(site: Site, data: PreviewData): Page {
  const { draft, answering, topic, revealAt, remaining, unsaved } = data;
  const challenge = challengeOf(draft, answering);
  const { files: lines = '' } = draft;
  const unsavedNote = { path: 'manifest_saved', message: 'is required' };
  const problem = told(unsaved ? { message: '', details: [unsavedNote] } : undefined, {
    manifest_saved: { subject: 'The manifest', missing: MANIFEST_UNSAVED },
  });
  const text = shownWords(draft.content).rest;
  const misfit = wordsMisfit(draft.content, answering?.question);
  return renderPage(
    site,
    {
      title: 'Check before you publish',
      description: 'Preview of an etch',
      unlisted: true,
      section: '/write',
      islands: ['compose.js', ...(lines === '' ? [] : (['files.js'] as const)), 'drafts.js'],
      form: { id: 'composer', then: 'again' },
    },
    <Narrow
      heading="Check before you publish"
      lead="Read it as others will. After the next step nobody can edit it."
    >
      <ProblemSummary problem={problem} />
      <Convention content={draft.content} />
      {lines !== '' && (
        <div data-listed={lines}>
          <output></output>
        </div>
      )}
      {text !== '' && (
        <blockquote class="words full">
          <Text>{text}</Text>
        </blockquote>
      )}
      {text !== draft.content && (
        <Exact summary="Exactly what is hashed as your words">{draft.content}</Exact>
      )}
      <ScriptsNote content={draft.content} />
      {misfit !== null && (
        <Warning>
          It counts as a text, as you chose: <Text>{misfit}</Text>.
        </Warning>
      )}
      <Facts>
        {answering ? (
          <Fact label="Answers" value={<Text>{questionText(answering.question)}</Text>} />
        ) : (
          <Fact label="Description, public at once" value={<Text>{draft.description}</Text>} />
        )}
        <Fact label="Topic" value={topic} />
        <Fact label="Words shown">
          {revealAt ? (
            <span data-local="">
              sealed until <Time at={revealAt} precision="seconds" />
            </span>
          ) : (
            'at once, to everyone'
          )}
        </Fact>
        <Fact label="Author">@{site.viewer!.username}, in the hash</Fact>
        <Fact label="Length">{`${[...draft.content].length.toLocaleString('en')} characters, hashed exactly as typed`}</Fact>
      </Facts>
      {revealAt && (
        <SealTerms
          open={[
            <>your name, @{site.viewer!.username}, and today’s date</>,
            answering ? 'that you answered this challenge' : 'the description and the topic above',
            'the hash of your words, and when they open',
          ]}
          hidden={['your words, from everyone, even from you', 'the exact time of writing']}
          until={<Time at={revealAt} precision="seconds" />}
        />
      )}
      {!answering && <GivenAway draft={draft} />}
      <form
        id="composer"
        method="post"
        action="/write"
        data-compose=""
        {...keptForm(site, formPath(draft, challenge), 'sent')}
      >
        <Hidden
          values={{
            draft: draft.draft,
            ...(draft.kind && { kind: draft.kind }),
            ...(lines !== '' && { files: lines }),
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
              <strong>Keep a copy.</strong> Until they open, we cannot show you these words either.
            </span>{' '}
            <button type="submit" name="step" value="copy" class="secondary" formNoValidate>
              Save your words
            </button>
          </p>
        )}
        <FinalStep step="etch" button={revealAt ? 'Seal it' : 'Etch it'}>
          <Warning plain>
            <strong>It cannot be edited.</strong> If you retract it later, the words are erased and a public
            mark stays. You have {Math.floor(remaining).toLocaleString('en')} etches left for now; this uses
            one.
          </Warning>
          {isRoot(draft.content) && <ManifestSaved wrong={unsaved} />}
        </FinalStep>
      </form>
    </Narrow>,
  );
}

/** A description survives a retraction, with everything that it reveals about the text. */
function GivenAway({ draft: { description, content } }: { draft: EtchDraft }) {
  const shared = sharedWords(description, content);
  if (shared === null) return null;
  return (
    <Warning>
      The description gives “<Text>{shared}</Text>” of the text away. It is public at once, and a retraction
      does not erase it.
    </Warning>
  );
}
