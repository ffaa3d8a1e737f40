import { type Asked, VOID } from '@svc/protocol/conventions';
import { narrowPage } from '@svc/web/layout';
import { FinalStep, PreviewStep } from '@svc/web/parts/drafts';
import {
  Choices,
  type FormProblem,
  LineEntry,
  Mode,
  type ModeProps,
  PostForm,
  problemText,
} from '@svc/web/parts/form';
import { say } from '@svc/web/parts/prose';
import { Warning } from '@svc/web/parts/sign';
import { Exact, facts, safe, safeLink } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import { questionText } from '@svc/web/etch-text';

export interface ResolutionDraft {
  draft: string;
  outcome: string;
  isVoid: boolean;
  source: string;
}

export interface Resolving {
  path: string;
  question: string;
  asked: Exclude<Asked, { asks: 'text' }>;
  topic: string;
}

const TITLE = 'What came true?';
const NAMES = {
  outcome: { subject: 'The outcome', missing: 'Choose what came true' },
  source: { subject: 'The source', missing: 'Say where anyone can check it' },
};

type ResolveBeside = { draft: ResolutionDraft; problem?: FormProblem | undefined };

export function resolvePage(site: Site, resolving: Resolving, { draft, problem }: ResolveBeside): Page {
  const { path, question, asked } = resolving;
  return narrowPage(
    site,
    {
      title: TITLE,
      lead: safeLink(path, questionText(question)),
      problem: problemText(problem, NAMES),
      unlisted: true,
      typed: problem ? 'again' : 'edit',
    },
    <PostForm
      id="composer"
      action={`${path}/resolve`}
      class="composer"
      noValidate
      sends={{ draft: draft.draft }}
    >
      {asked.asks === 'outcomes' ? outcomes(asked.outcomes, draft) : value(asked.unit, draft)}
      <LineEntry
        name="source"
        label="Source"
        hint="Where can anyone check it? An address, or a publication and its date."
        value={draft.source}
      />
      <PreviewStep said="Nothing is published yet." />
    </PostForm>,
  );
}

const outcomes = (names: readonly string[], { outcome }: ResolutionDraft) => (
  <Choices name="outcome" legend="Outcome">
    {names.map((name) => (
      <label class="mode">
        <input type="radio" name="outcome" value={name} checked={outcome === name} />
        <strong>{safe(name)}</strong>
      </label>
    ))}
    <Void type="radio" name="outcome" value={VOID} checked={outcome === VOID} />
  </Choices>
);

const value = (unit: string, { outcome, isVoid }: ResolutionDraft) => (
  <>
    <LineEntry
      name="outcome"
      label={unit === '' ? 'The number' : say`The number, in ${safe(unit)}`}
      hint="With a decimal point, for example 12.5."
      value={outcome}
    />
    <Void type="checkbox" name="void" value="on" checked={isVoid} />
  </>
);

const Void = (input: Pick<ModeProps, 'type' | 'name' | 'value' | 'checked'>) => (
  <Mode {...input} title="Void">
    The question cannot be decided. No forecast is scored.
  </Mode>
);

type PreviewResolutionBeside = { draft: ResolutionDraft; outcome: string; words: string; remaining: number };

export function previewResolutionPage(
  site: Site,
  { path, question, asked, topic }: Resolving,
  { draft, outcome, words, remaining }: PreviewResolutionBeside,
): Page {
  const unit = asked.asks === 'number' && outcome !== VOID ? asked.unit : '';
  const { isVoid, ...typed } = draft;
  return narrowPage(
    site,
    {
      title: 'Check before you publish',
      description: TITLE,
      lead: 'Nobody can edit a resolution. The first one counts.',
      unlisted: true,
      typed: 'again',
    },
    facts(
      ['Question', safeLink(path, questionText(question))],
      [
        outcome === VOID ? 'Resolved' : 'Came true',
        <strong>{safe(unit === '' ? outcome : `${outcome} ${unit}`)}</strong>,
      ],
      ['Source', safe(draft.source)],
      ['Topic', topic],
      ['Shown', 'public at once'],
      ['Author', `@${site.viewer!.username}, part of the hash`],
      ['Exactly what will be hashed', <Exact summary="Show the words">{words}</Exact>],
    ),
    <PostForm
      id="composer"
      action={`${path}/resolve`}
      composed
      sends={{ ...typed, ...(isVoid && { void: 'on' }) }}
    >
      <FinalStep step="etch" button="Publish the outcome">
        <Warning plain>
          <strong>It cannot be edited.</strong> If you retract it, the question stays unresolved permanently.
          It uses one of the {Math.floor(remaining).toLocaleString('en')} etches you have left for now.
        </Warning>
      </FinalStep>
    </PostForm>,
  );
}
