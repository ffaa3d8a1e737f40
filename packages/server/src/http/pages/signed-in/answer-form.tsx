// The form of an answer: on the page of its challenge, and on /write?challenge=… after a problem.
import { CONTENT_MAX } from '@svc/contract';
import { DraftNote, keptForm, PreviewStep, stepText } from '@svc/web/parts/drafts';
import { type Answering, askedBy, challengeOf, type EtchDraft, formPath } from '@svc/web/parts/etch-draft';
import { ForecastEntry } from '@svc/web/parts/forecast-entry';
import { Mode, PostForm, TextEntry } from '@svc/web/parts/form';
import { say } from '@svc/web/parts/prose';
import { FileEntry } from '@svc/web/parts/write-entries';
import { atTime } from '@svc/web/parts/values';
import type { Site } from '@svc/web/site';

interface AnswerFormProps {
  site: Site;
  draft: EtchDraft;
  answering: Answering | undefined;
  isMisfit?: boolean | undefined;
  sent?: boolean | undefined;
}

/** An answer to a question for a forecast commits to no files. */
export const takesFiles = (answering: Answering | undefined): boolean =>
  !answering || askedBy(answering.question)?.asks === 'text';

export function AnswerForm({ site, draft, answering, isMisfit, sent }: AnswerFormProps) {
  const challenge = challengeOf(draft, answering)!;
  return (
    <>
      <PostForm
        id="composer"
        action="/write"
        class="composer"
        noValidate
        composed
        {...keptForm(site, formPath(draft, challenge), sent ? 'sent' : 'empty')}
        sends={{ draft: draft.draft, challenge_id: challenge }}
      >
        <ForecastEntry draft={draft} question={answering?.question} />
        <TextEntry
          name="content"
          label={takesFiles(answering) ? 'Your answer in words' : 'Your reasons (optional)'}
          hint="Hidden until the challenge closes, then public."
          value={draft.content}
          max={CONTENT_MAX}
          rows={answering && !takesFiles(answering) ? 3 : 6}
          words
        />
        {takesFiles(answering) && <FileEntry draft={draft} />}
        <p class="hint">{terms(answering)}</p>
        {isMisfit && <AsText />}
        <PreviewStep text={stepText(site)} />
      </PostForm>
      <DraftNote />
    </>
  );
}

export const AsText = () => (
  <Mode type="checkbox" name="as_text" value="on" title="Etch it as a text anyway">
    It gets no score, and nobody can check its files.
  </Mode>
);

const terms = (answering: Answering | undefined) =>
  answering
    ? say`
        Your answer opens with all others${answering.revealAt !== undefined && say` on ${atTime(answering.revealAt)}`}. You can answer once. Your name and the day of your answer are public
        at once.
      `
    : 'This answers a challenge, which sets the topic and the time at which it opens. You can answer once.';
