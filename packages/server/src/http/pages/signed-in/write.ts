import { isUuid, parseDateTime } from '@svc/contract';
import { readBlindSeal, type Sections, SECTIONS, TEMPLATES } from '@svc/protocol/conventions';
import {
  type Answering,
  type EtchDraft,
  KINDS,
  PREREGISTRATION,
  sectionField,
  wordsMisfit,
} from '@svc/web/parts/etch-draft';
import { isRoot } from '@svc/web/etch-text';
import { presetTime } from '@svc/web/presets';
import { previewEtchPage } from '../preview-etch.tsx';
import { type WriteData, writePage } from '../write.tsx';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type EtchRequest, leadRefusal } from '../../../acts/creation.ts';
import { type EntryTerms, findEntryTerms } from '../../../challenges/store.ts';
import type { Caller } from '../../../identity/caller.ts';
import { badField, type Detail, Failure } from '../../../platform/failure.ts';
import type { Parts } from '../../parts.ts';
import { toEtchRequest } from '../../routes/etches.ts';
import { noteEtched, siteFor } from '../site.ts';
import { checked, filled, type Form, formOf, formProblem, typedIn, utcOf } from '../form.ts';
import { seeOther } from '../send.ts';
import { callerOf } from '../session.ts';
import { draftId, leftToday, newDraftIfUsed, topicLabel } from './questions.ts';
import { composeWords, partsOf, takeApart } from './forecast-form.ts';
import { entryRefusal } from '../../../challenges/view.ts';

interface Previewed {
  caller: Caller;
  draft: EtchDraft;
  answering: Answering | undefined;
  asked: EtchRequest;
  unsaved?: boolean;
}

interface WriteQuery {
  challenge?: string;
  template?: string;
  kind?: string;
}

/** Publishing takes two steps, because an etch is final. */
export function mountWritePages(pages: FastifyInstance, parts: Parts): void {
  const { db, clock, config } = parts;
  const { creator } = parts.etches;
  const leadSeconds = config.limits.minRevealLeadSeconds;

  pages.get<{ Querystring: WriteQuery }>('/write', async (request, reply) => {
    const caller = callerOf(request);
    const { challenge, template = '', kind } = request.query;
    const draft = draftOf({
      challenge_id: challenge,
      content: templateOf(template),
      kind: template === PREREGISTRATION ? template : kind,
    });
    takeApart(draft);
    if (challenge === undefined) return show(request, { draft });
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
      const caller = callerOf(request);
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
        const { etch } = await creator.create(caller, asked, `page:${draft.draft}`);
        noteEtched(reply, parts.baseUrl, draft.draft);
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
    writePage(siteFor(parts, request), { ...data, leadSeconds });

  async function preview(request: FastifyRequest, { caller, asked, ...shown }: Previewed) {
    const { answering } = shown;
    return previewEtchPage(siteFor(parts, request), {
      ...shown,
      topic: answering?.topic ?? topicLabel(asked.category_id),
      revealAt: answering?.revealAt ?? asked.reveal_at ?? null,
      remaining: await leftToday(parts, caller, 'etch'),
    });
  }

  function tooNear({ mode, reveal_at = '' }: Form): readonly Detail[] {
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

  async function termsOf(caller: Caller, id: string): Promise<EntryTerms> {
    const [terms] = isUuid(id)
      ? (await findEntryTerms(db, [{ challengeId: id.toLowerCase(), userId: caller.userId }])).values()
      : [];
    if (!terms) throw new Failure('not_found', 'there is no challenge with this id');
    return terms;
  }
}

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

/** @param wrong errors found before */
function readEtch(request: FastifyRequest, form: Form, wrong: readonly Detail[]): EtchRequest {
  let asked: EtchRequest;
  try {
    asked = toEtchRequest(checked(request, 'createEtch', bodyOf(form)));
  } catch (error) {
    if (error instanceof Failure && error.details)
      throw new Failure(error.code, error.message, [...wrong, ...error.details]);
    throw error;
  }
  if (wrong.length > 0) throw new Failure('bad_request', 'the form is not complete', wrong);
  return asked;
}

function bodyOf(form: Form): object {
  const { reveal_at: revealAt, ...fields } = filled(
    form,
    'content',
    'description',
    'category_id',
    'reveal_at',
    'mode',
  );
  if (form['challenge_id']) {
    const { content } = fields;
    return { content, category_id: 'other', mode: 'delayed', challenge_id: form['challenge_id'] };
  }
  const isSealed = fields['mode'] !== 'instant';
  return { ...fields, ...(isSealed && revealAt !== undefined && { reveal_at: utcOf(revealAt) }) };
}

const templateOf = (name: string): string =>
  Object.hasOwn(TEMPLATES, name) && name !== PREREGISTRATION ? TEMPLATES[name as keyof typeof TEMPLATES] : '';

function misfitIn(content: string, question: string | undefined): readonly Detail[] {
  const misfit = content.trim() === '' ? null : wordsMisfit(content, question);
  return misfit === null ? [] : [{ path: 'content', message: `would count as plain text: ${misfit}` }];
}

function draftOf(form: Form): EtchDraft {
  const { challenge_id, forecast_line: forecast = '' } = form;
  return {
    draft: draftId(form),
    kind: ([...KINDS, PREREGISTRATION] as const).find((kind) => kind === form['kind']),
    ...typedIn(form, 'content', 'files', 'description', 'category_id', 'mode', 'reveal_at'),
    sections: sectionsOf(form),
    parts: partsOf(form),
    forecast,
    challenge_id,
  };
}

const sectionsOf = (form: Form): Sections =>
  Object.fromEntries(
    SECTIONS.flatMap((name) => {
      const text = form[sectionField(name)]?.trim();
      return text ? [[name, text]] : [];
    }),
  );

const answeringOf = (terms: EntryTerms): Answering => ({
  id: terms.id,
  question: terms.question,
  topic: topicLabel(terms.category_id),
  revealAt: terms.reveal_at,
});
