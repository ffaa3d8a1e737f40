import { sharedWords } from '@svc/protocol';
import { readWords } from '@svc/protocol/conventions';
import { narrowPage } from '@svc/web/layout';
import { Convention, ScriptsNote } from '@svc/web/parts/convention';
import { Change, FinalStep, keptForm } from '@svc/web/parts/drafts';
import {
  type Answering,
  challengeOf,
  type EtchDraft,
  formPath,
  wordsMisfit,
} from '@svc/web/parts/etch-draft';
import { termFacts, typedTerms } from '@svc/web/parts/etch-terms';
import { MANIFEST_UNSAVED, ManifestSaved } from '@svc/web/parts/file-drop';
import { PostForm, ProblemSummary, problemText } from '@svc/web/parts/form';
import { say } from '@svc/web/parts/prose';
import { Warning } from '@svc/web/parts/sign';
import { atTime, Exact, facts, safe } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import { forecastParts, isRoot, questionText, shownWords, unitOf } from '@svc/web/etch-text';
import { SealTerms } from '@svc/web/parts/write-entries';
import { UNTRANSLATED } from '@svc/web/untranslated';

interface PreviewData {
  draft: EtchDraft;
  answering?: Answering | undefined;
  revealAt: string | null;
  /** undefined before the sign-in */
  remaining: number | undefined;
  isBlind?: boolean | undefined;
  unsaved?: boolean;
}

const UNSAVED = problemText(
  { message: '', details: [{ path: 'manifest_saved', message: 'is required' }] },
  { manifest_saved: { subject: 'The manifest', missing: MANIFEST_UNSAVED } },
);

export function previewEtchPage(site: Site, data: PreviewData): Page {
  const { draft, answering, revealAt, remaining, unsaved, isBlind } = data;
  const { content, description, mode, reveal_at, kind, files = '' } = draft;
  const challenge_id = challengeOf(draft, answering);
  const text = shownWords(content).rest;
  const words = readWords(content);
  const isOnlyChances = words.kind === 'forecast' && text === '';
  const misfit = wordsMisfit(content, answering?.question);
  const author = site.viewer ? `@${site.viewer.username}` : undefined;
  return narrowPage(
    site,
    {
      title: 'Check before you publish',
      description: 'Preview of an etch',
      lead: 'Read it as others will. After the next step you cannot edit it.',
      unlisted: true,
      section: challenge_id ? '/challenges' : '/write',
      islands: ['compose.js', files !== '' && 'files.js', 'drafts.js', 'times.js'],
      typed: 'again',
    },
    unsaved && <ProblemSummary problem={UNSAVED} />,
    answering && <h2>{safe(questionText(answering.question))}</h2>,
    words.kind === 'forecast' ? (
      <p class="said-large">
        {forecastParts(words, unitOf(answering?.question ?? '')).map((part) => (
          <span {...UNTRANSLATED}>{safe(part)}</span>
        ))}
        {answering && <Change path="/write" field="forecast" what="the forecast" />}
      </p>
    ) : (
      <Convention content={content} question={answering?.question} />
    ),
    files !== '' && (
      <div data-listed={files}>
        <output></output>
      </div>
    ),
    text !== '' && (
      <blockquote class="words full" {...UNTRANSLATED}>
        {safe(text)}
      </blockquote>
    ),
    answering && text !== '' && (
      <p>
        <Change path="/write" field="content" what="the words" />
      </p>
    ),
    text !== content && <Exact summary="Exactly what is hashed as your words">{content}</Exact>,
    <ScriptsNote content={content} />,
    misfit !== null && <Warning>It counts as a text, as you chose: {safe(misfit)}.</Warning>,
    facts(
      !answering && ['Description, public at once', safe(description)],
      ...(answering ? [['Topic', answering.topic] as const] : termFacts(draft)),
      !isBlind && revealAt === null && ['Words', 'public at once'],
      [
        'Author',
        author ? `${author} (the hash contains the account id)` : 'the account with which you sign in',
      ],
      text !== '' && ['Length', `${[...content].length.toLocaleString('en')} characters`],
    ),
    revealAt && (
      <SealTerms
        open={[
          `your name${author ? `, ${author},` : ''} and today’s date`,
          answering ? 'that you answered this challenge' : 'the description and the topic above',
          'the hash of your words, and when they open',
        ]}
        hidden={[
          'your words, from every account, even yours; the operator has their key',
          'the exact time of writing',
        ]}
        until={atTime(revealAt)}
      />
    ),
    !answering && givenAway(description, content),
    <PostForm
      id="composer"
      action="/write"
      composed
      {...keptForm(site, formPath(draft, challenge_id), 'sent')}
      sends={{
        draft: draft.draft,
        ...(kind && { kind }),
        ...(files !== '' && { files }),
        content,
        description,
        ...typedTerms(draft),
        mode,
        reveal_at,
        ...(isBlind && { blind: 'on' }),
        ...(challenge_id && { challenge_id }),
      }}
    >
      {revealAt && !isOnlyChances && (
        <p class="note copy-kept">
          <span>{say`**Keep a copy.** Until they open, this service does not show you these words either.`}</span>{' '}
          <button type="submit" name="step" value="copy" class="secondary" formNoValidate>
            Save your words
          </button>
        </p>
      )}
      <FinalStep step="etch" button={finalButton(author, revealAt !== null || isBlind === true)}>
        <Warning plain>
          <strong>It cannot be edited.</strong> If you retract it later, the words are erased and a public
          mark stays{answering && ', and you cannot answer this challenge again'}.{' '}
          {remaining === undefined
            ? 'You sign in first. Your text waits in this browser, and nothing is published before you confirm it.'
            : `You have ${Math.floor(remaining).toLocaleString('en')} etches left for now; this uses one.`}
        </Warning>
        {isRoot(content) && <ManifestSaved wrong={unsaved} />}
      </FinalStep>
    </PostForm>,
  );
}

const finalButton = (author: string | undefined, isSealed: boolean): string => {
  const act = isSealed ? 'Seal it' : 'Etch it';
  return author === undefined ? `Sign in and ${act.toLowerCase()}` : act;
};

/** A description survives a retraction, with everything that it reveals about the text. */
function givenAway(description: string, content: string) {
  const shared = sharedWords(description, content);
  return (
    shared !== null && (
      <Warning>
        The description gives “{safe(shared)}” of the text away. It is public at once, and a retraction does
        not erase it.
      </Warning>
    )
  );
}
