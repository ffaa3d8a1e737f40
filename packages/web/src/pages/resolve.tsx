import { type Asked, VOID } from '@svc/protocol/conventions';
import { Narrow, renderPage } from '../layout.tsx';
import {
  Choices,
  FinalStep,
  type FormProblem,
  Hidden,
  LineEntry,
  Mode,
  type ModeProps,
  PreviewStep,
  ProblemSummary,
  told,
  type ToldProblem,
} from '../parts/form.tsx';
import { Exact, Fact, Facts, Text, TextLink } from '../parts/values.tsx';
import type { Page, Site } from '../site.ts';
import { Warning } from '../parts/sign.tsx';
import { questionText } from '../questions.ts';

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
const FRAME = { description: TITLE, unlisted: true } as const;
const NAMES = {
  outcome: { subject: 'The outcome', missing: 'Choose what came true' },
  source: { subject: 'The source', missing: 'Say where anyone can check it' },
};

export function resolvePage(
  site: Site,
  resolving: Resolving,
  { draft, problem: refused }: { draft: ResolutionDraft; problem?: FormProblem | undefined },
): Page {
  const { path, question, asked } = resolving;
  const problem = told(refused, NAMES);
  return renderPage(
    site,
    {
      ...FRAME,
      title: problem ? `Not done yet: ${TITLE}` : TITLE,
      form: { id: 'composer', then: problem ? 'again' : 'edit' },
    },
    <div class="narrow">
      <header class="page-head">
        <h1>{TITLE}</h1>
        <p class="lead">
          <TextLink href={path}>{questionText(question)}</TextLink>
        </p>
      </header>
      <ProblemSummary problem={problem} />
      <form id="composer" method="post" action={`${path}/resolve`} class="composer" noValidate>
        <Hidden values={{ draft: draft.draft }} />
        {asked.asks === 'outcomes' ? (
          <Outcomes outcomes={asked.outcomes} draft={draft} problem={problem} />
        ) : (
          <Value unit={asked.unit} draft={draft} problem={problem} />
        )}
        <LineEntry
          name="source"
          label="Source"
          hint="Where can anyone check it? An address, or a publication and its date."
          value={draft.source}
          problem={problem}
        />
        <PreviewStep said="Nothing is published yet." />
      </form>
    </div>,
  );
}

interface OutcomeProps {
  draft: ResolutionDraft;
  problem: ToldProblem | undefined;
}

function Outcomes({ outcomes, draft, problem }: OutcomeProps & { outcomes: readonly string[] }) {
  return (
    <Choices name="outcome" legend="Outcome" problem={problem}>
      {outcomes.map((name) => (
        <label class="mode">
          <input type="radio" name="outcome" value={name} checked={draft.outcome === name} />
          <strong>
            <Text>{name}</Text>
          </strong>
        </label>
      ))}
      <Void type="radio" name="outcome" value={VOID} checked={draft.outcome === VOID} />
    </Choices>
  );
}

function Value({ unit, draft, problem }: OutcomeProps & { unit: string }) {
  return (
    <>
      <LineEntry
        name="outcome"
        label={
          unit === '' ? (
            'The number'
          ) : (
            <>
              The number, in <Text>{unit}</Text>
            </>
          )
        }
        hint="With a decimal point, for example 12.5."
        value={draft.outcome}
        problem={problem}
      />
      <Void type="checkbox" name="void" value="on" checked={draft.isVoid} />
    </>
  );
}

const Void = (input: Pick<ModeProps, 'type' | 'name' | 'value' | 'checked'>) => (
  <Mode {...input} title="Void">
    The question cannot be decided. No forecast is scored.
  </Mode>
);

type PreviewResolutionBeside = { draft: ResolutionDraft; outcome: string; words: string; remaining: number };

export function previewResolutionPage(
  site: Site,
  { path, question, asked, topic }: Resolving,
  beside: PreviewResolutionBeside,
): Page {
  const { draft, outcome, words, remaining } = beside;
  const unit = asked.asks === 'number' && outcome !== VOID ? asked.unit : '';
  return renderPage(
    site,
    { ...FRAME, title: 'Check before you publish', form: { id: 'composer', then: 'again' } },
    <Narrow heading="Check before you publish" lead="Nobody can edit a resolution. The first one counts.">
      <Facts>
        <Fact label="Question">
          <TextLink href={path}>{questionText(question)}</TextLink>
        </Fact>
        <Fact label={outcome === VOID ? 'Resolved' : 'Came true'}>
          <strong>
            <Text>{unit === '' ? outcome : `${outcome} ${unit}`}</Text>
          </strong>
        </Fact>
        <Fact label="Source" value={<Text>{draft.source}</Text>} />
        <Fact label="Topic" value={topic} />
        <Fact label="Shown" value="public at once" />
        <Fact label="Author">@{site.viewer!.username}, part of the hash</Fact>
        <Fact label="Exactly what will be hashed">
          <Exact summary="Show the words">{words}</Exact>
        </Fact>
      </Facts>
      <form id="composer" method="post" action={`${path}/resolve`} data-compose="">
        <Hidden
          values={{
            draft: draft.draft,
            outcome: draft.outcome,
            source: draft.source,
            ...(draft.isVoid && { void: 'on' }),
          }}
        />
        <FinalStep step="etch" button="Publish the outcome">
          <Warning plain>
            <strong>It cannot be edited.</strong> If you retract it, the question stays unresolved
            permanently. It uses one of the {Math.floor(remaining).toLocaleString('en')} etches you have left
            for now.
          </Warning>
        </FinalStep>
      </form>
    </Narrow>,
  );
}
