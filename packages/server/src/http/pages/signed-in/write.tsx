import { CONTENT_MAX, DESCRIPTION_MAX, isUuid, parseDateTime } from '@svc/contract';
import { SECTIONS, TEMPLATES, readBlindSeal } from '@svc/protocol/conventions';
import { narrowPage } from '@svc/web/layout';
import { DraftList, DraftNote, PreviewStep, keptForm, stepText } from '@svc/web/parts/drafts';
import { ForecastEntry } from '@svc/web/parts/forecast-entry';
import { type FieldNames, type FormProblem, PostForm, TextEntry, problemText } from '@svc/web/parts/form';
import { TermEntries, termFieldNames } from '@svc/web/parts/etch-terms';
import { answerRow, partRows, resolvedByRow } from '@svc/web/parts/challenge-terms';
import { atTime, facts, safe } from '@svc/web/parts/values';
import { say } from '@svc/web/parts/prose';
import { isDevnet, type Page, type Site } from '@svc/web/site';
import {
  type Answering,
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
import { questionText, isRoot, unitOf } from '@svc/web/etch-text';
import { FileEntry, KindChoice, SectionEntries, WhenShown } from '@svc/web/parts/write-entries';
import { Glyph } from '@svc/web/parts/tag';
import { presetTime } from '@svc/web/reveal-presets';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { previewEtchPage } from './preview-etch.tsx';
import { type EtchRequest, leadRefusal } from '../../../acts/creation.ts';
import { type EntryTerms, findEntryTerms } from '../../../challenges/store.ts';
import type { Caller } from '../../../identity/caller.ts';
import { badField, type Detail, Failure } from '../../../platform/failure.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { noteEtched, siteFor } from '../site.ts';
import { type FormFields, formOf, formProblem, utcOf } from '../form.ts';
import { seeOther } from '../send.ts';
import { SignedOut, takeAnonymous, visitorOf } from '../session.ts';
import { composeWords, takeApart } from './forecast-form.ts';
import { entryRefusal } from '../../../challenges/view.ts';
import { newDraftIfUsed, leftToday } from './drafts.ts';
import { KEPT_PATH, keptDrafts } from './kept-draft.ts';
import { AnswerForm, AsText, takesFiles } from './answer-form.tsx';
import { readEtch, exampleOf, misfitIn, draftOf, answeringOf } from './etch-form.ts';

interface Previewed {
  caller: Caller | undefined;
  draft: EtchDraft;
  answering: Answering | undefined;
  asked: EtchRequest;
  unsaved?: boolean;
  isBlind?: boolean;
}

interface WriteQuery {
  draft?: string;
  challenge?: string;
  template?: string;
  kind?: string;
}

/** Publishing takes two steps, because an etch is final. A visitor signs in between them. */
export function mountWritePages(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, clock, config } = deps;
  const { creator } = deps.etches;
  const kept = keptDrafts(deps);
  const leadSeconds = config.limits.minRevealLeadSeconds;

  pages.get<{ Querystring: WriteQuery }>('/write', async (request, reply) => {
    await takeAnonymous(deps, request);
    const caller = visitorOf(request);
    const { challenge, template = '', kind } = request.query;
    if (request.query.draft === 'kept') {
      void reply.header('Cache-Control', 'no-store');
      return showKept(request, reply);
    }
    const draft = draftOf({
      challenge_id: challenge,
      kind: template === 'forecast' || template === PREREGISTRATION ? template : kind,
    });
    if (challenge === undefined) return show(request, { draft, example: exampleOf(template) });
    const terms = await termsOf(caller, challenge);
    if (entryRefusal(terms, clock.now())) return seeOther(reply, `/ch/${terms.id}`);
    return show(request, { draft, answering: answeringOf(terms) });
  });

  pages.post('/write', async (request, reply) => {
    const form = formOf(request);
    const draft = draftOf(form);
    draft.reveal_at = presetTime(form['opens_in'], clock.now()) ?? draft.reveal_at;
    let answering: Answering | undefined;
    let isMisfit = false;
    try {
      const caller = visitorOf(request);
      await takeAnonymous(deps, request);
      if (form['step'] === 'copy') return sendCopy(reply, draft);
      const terms = form['challenge_id'] ? await termsOf(caller, form['challenge_id']) : undefined;
      answering = terms && answeringOf(terms);
      if (form['step'] === 'edit') {
        takeApart(draft);
        return show(request, { draft, answering, sent: true });
      }
      const { content, wrong } = composeWords(draft, terms?.question);
      const typed = { ...form, content, reveal_at: draft.reveal_at };
      if (form['step'] === 'etch') {
        const asked = readEtch(request, typed, wrong);
        if (form['blind'] === 'on') checkBlind(asked);
        else if (isRoot(content) && form['manifest_saved'] !== 'on') {
          void reply.code(400);
          return await preview(request, { caller, draft, answering, asked, unsaved: true });
        }
        if (!caller) {
          if (!kept.keep(reply, { ...form, draft: draft.draft, content })) throw new SignedOut();
          return seeOther(reply, `/sign-in?return=${encodeURIComponent(KEPT_PATH)}`);
        }
        const { etch } = await creator.create(caller, asked, `page:${draft.draft}`);
        noteEtched(reply, deps.baseUrl, draft.draft);
        kept.drop(reply);
        return seeOther(reply, `/e/${etch.id}`);
      }
      const misfit = wrong.length > 0 || form['as_text'] === 'on' ? [] : misfitIn(content, terms?.question);
      isMisfit = misfit.length > 0;
      const asked = readEtch(request, typed, [...wrong, ...misfit, ...(terms ? [] : tooNear(typed))]);
      const refusal = terms && entryRefusal(terms, clock.now());
      if (refusal) throw refusal;
      draft.content = content;
      return await preview(request, { caller, draft, answering, asked });
    } catch (error) {
      if (form['step'] === 'etch') takeApart(draft);
      const problem = formProblem(newDraftIfUsed(draft, error, ETCHED), request, reply);
      return show(request, { draft, answering, problem, isMisfit, sent: true });
    }
  });

  const show = (request: FastifyRequest, data: Omit<WriteData, 'leadSeconds'>) =>
    writePage(siteFor(deps, request), { ...data, leadSeconds });

  async function preview(request: FastifyRequest, { caller, asked, ...shown }: Previewed) {
    const { answering } = shown;
    return previewEtchPage(siteFor(deps, request), {
      ...shown,
      revealAt: answering?.revealAt ?? asked.reveal_at ?? null,
      remaining: caller && (await leftToday(deps, caller, 'etch')),
    });
  }

  async function showKept(request: FastifyRequest, reply: FastifyReply) {
    const form = kept.find(request);
    if (!form) {
      void reply.code(410);
      return show(request, { draft: draftOf({}), problem: { message: KEPT_TOO_LONG } });
    }
    const caller = visitorOf(request);
    const draft = draftOf(form);
    let answering: Answering | undefined;
    try {
      const terms = form['challenge_id'] ? await termsOf(caller, form['challenge_id']) : undefined;
      answering = terms && answeringOf(terms);
      const asked = readEtch(request, form, []);
      const refusal = terms && entryRefusal(terms, clock.now());
      if (refusal) throw refusal;
      return await preview(request, { caller, draft, answering, asked, isBlind: form['blind'] === 'on' });
    } catch (error) {
      takeApart(draft);
      return show(request, { draft, answering, problem: formProblem(error, request, reply), sent: true });
    }
  }

  function tooNear({ mode, reveal_at = '' }: FormFields): readonly Detail[] {
    const at = mode === 'instant' ? null : parseDateTime(utcOf(reveal_at));
    return (at && leadRefusal(at, clock.now(), leadSeconds)?.details) || [];
  }

  function checkBlind({ content }: EtchRequest): void {
    const now = clock.now();
    const seal = readBlindSeal(content, new Date(now).toISOString(), config.drandChain);
    const refusal = seal
      ? leadRefusal(seal.due, now, leadSeconds)
      : badField('content', 'would count as plain text: it is no blind seal whose time is still ahead');
    if (refusal) throw refusal;
  }

  async function termsOf(caller: Caller | undefined, id: string): Promise<EntryTerms> {
    const [terms] = isUuid(id)
      ? (
          await findEntryTerms(db, [{ challengeId: id.toLowerCase(), userId: caller?.userId ?? NOBODY }])
        ).values()
      : [];
    if (!terms) throw new Failure('not_found', 'there is no challenge with this id');
    return terms;
  }
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

const KEPT_TOO_LONG =
  'the text that waited for the sign-in is gone, because it was kept for half an hour: write it again';

const ETCHED =
  'an earlier text of this draft was etched already and stands as it is: what is below is a new draft';

/** Sends the author a copy, because only this answer contains the words before the opening. */
function sendCopy(reply: FastifyReply, { content, reveal_at: opens }: EtchDraft): FastifyReply {
  const day = /^\d{4}-\d\d-\d\d/.exec(opens)?.[0];
  return reply
    .header('Cache-Control', 'no-store')
    .header('Content-Type', 'text/plain; charset=utf-8')
    .header('Content-Disposition', `attachment; filename="sealed-words${day ? `-${day}` : ''}.txt"`)
    .send(content);
}

function namesOf(fields: readonly ForecastField[], question = ''): FieldNames {
  const unit = unitOf(question);
  return {
    forecast: { subject: 'Your chances', missing: 'Give a forecast' },
    ...Object.fromEntries(
      fields.map((field, at) => {
        const label = fieldLabel(field, unit) || `Outcome ${at}`;
        const missing = label === 'yes' ? 'Give the chance of yes' : `Give a number for “${label}”`;
        return [`forecast_${at}`, { subject: `“${label}”`, missing }];
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
    content: { subject: 'Your words', missing: 'Write your words' },
    description: { subject: 'The description', missing: 'Write a description' },
    ...termFieldNames,
    mode: { subject: 'The time of publication', missing: 'Choose when the words become public' },
    reveal_at: { subject: 'The time at which it opens', missing: 'Set the time at which it opens' },
  };
}

interface WriteData {
  draft: EtchDraft;
  answering?: Answering | undefined;
  problem?: FormProblem | undefined;
  leadSeconds: number;
  /** the words do not fit a convention or the question; the author may confirm them */
  isMisfit?: boolean;
  sent?: boolean;
  /** words of a template, shown in the empty field */
  example?: string | undefined;
}

export function writePage(site: Site, data: WriteData): Page {
  const { draft, answering, problem, isMisfit, sent } = data;
  const challenge = challengeOf(draft, answering);
  const fields = forecastFields(draft, answering?.question);
  const isPlan = kindOf(draft) === PREREGISTRATION;
  return narrowPage(
    site,
    {
      title: challenge ? 'Answer a challenge' : isPlan ? 'Write a preregistration' : 'Write an etch',
      heading: answering && safe(questionText(answering.question)),
      lead: challenge ? (
        <a href={`/ch/${encodeURIComponent(challenge)}`}>
          {answering ? 'The challenge and its answers' : 'The challenge it answers'}
        </a>
      ) : (
        leadOf(site)
      ),
      more: !challenge && (
        <p class="hint">
          {isPlan ? 'Or write something else: ' : 'Start from an example: '}
          {examples(isPlan)}
        </p>
      ),
      problem: problemText(problem, namesOf(fields, answering?.question)),
      unlisted: true,
      section: challenge ? '/challenges' : '/write',
      islands: [
        'compose.js',
        takesFiles(answering) && 'files.js',
        site.drand && !challenge && 'blind.js',
        'drafts.js',
        'times.js',
      ],
      typed: problem ? 'again' : 'edit',
    },
    <DraftList site={site} title="Drafts on this device" />,
    answering &&
      facts(
        ['Open until', answering.revealAt !== undefined && atTime(answering.revealAt)],
        answerRow(answering.question),
        ...partRows(answering.question),
        resolvedByRow(answering.question, 'The author of the challenge'),
      ),
    challenge ? (
      <AnswerForm site={site} draft={draft} answering={answering} isMisfit={isMisfit} sent={sent} />
    ) : (
      <EtchForm site={site} {...data} />
    ),
  );
}

const leadOf = (site: Site): string =>
  isDevnet(site)
    ? 'A dated text that you cannot change later. This service is for trying it out: its operator can rewrite its development chain, so it proves nothing to strangers.'
    : 'A dated text. Once it is anchored, neither you nor this service can change it unnoticed.';

function EtchForm({ site, draft, leadSeconds, isMisfit, sent, example }: WriteData & { site: Site }) {
  const isPlan = kindOf(draft) === PREREGISTRATION;
  const isBlank = draft.content === '' && (isPlan || draft.kind === undefined);
  return (
    <>
      <PostForm
        id="composer"
        action="/write"
        class="composer"
        noValidate
        composed
        {...keptForm(site, formPath(draft, undefined), sent ? 'sent' : isBlank ? 'empty' : 'begun')}
        sends={{ draft: draft.draft }}
      >
        {isPlan ? (
          <SectionEntries draft={draft} />
        ) : (
          <>
            <KindChoice chosen={kindOf(draft)} />
            <ForecastEntry draft={draft} question={undefined} />
            <FileEntry draft={draft} />
          </>
        )}
        {!isPlan && (
          <TextEntry
            name="content"
            label="Your words"
            hint="Public at once, or on the date you set below. Every character is hashed."
            value={draft.content}
            placeholder={example}
            max={CONTENT_MAX}
            rows={example ? 12 : 6}
            words
          />
        )}
        <TextEntry
          name="description"
          label="Description"
          hint={say`
              ${<Glyph name="public" />} **Public at once and permanently**, even if you seal the words. Say
              what they are about, without giving them away.
            `}
          value={draft.description}
          max={DESCRIPTION_MAX}
          rows={2}
        />
        <TermEntries terms={draft} />
        <WhenShown drand={site.drand} draft={draft} lead={leadSeconds} />
        {isMisfit && <AsText />}
        <PreviewStep text={stepText(site)} />
      </PostForm>
      <DraftNote />
    </>
  );
}

const examples = (isPlan: boolean) => {
  const names = Object.keys(TEMPLATES).filter((name) => !isPlan || name !== PREREGISTRATION);
  return [
    isPlan && [<a href="/write">a text</a>, ', '],
    names.map((name, at) => [at > 0 && ', ', <a href={`/write?template=${name}`}>{name}</a>]),
  ];
};
