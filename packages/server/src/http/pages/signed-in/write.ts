import { randomUUID } from 'node:crypto';
import { isTopicId, isUuid, parseDateTime, TOPIC_LABELS } from '@svc/contract';
import { readBlindSeal, TEMPLATES } from '@svc/protocol/conventions';
import {
  type Answering,
  type EtchDraft,
  presetTime,
  previewEtchPage,
  wordsMisfit,
  type WriteData,
  writePage,
} from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { etchesPerDay, refill, remaining } from '../../../accounts/allowance.ts';
import { KeyUsed } from '../../../accounts/idempotency.ts';
import { readBucket } from '../../../accounts/store.ts';
import type { EtchRequest } from '../../../acts/creation.ts';
import { leadRefusal } from '../../../acts/lead-time.ts';
import { entryRefusal } from '../../../challenges/entry.ts';
import { type EntryTerms, findEntryTerms } from '../../../challenges/store.ts';
import { badField, Failure } from '../../../errors/failure.ts';
import type { Caller } from '../../../identity/caller.ts';
import { toEtchRequest } from '../../routes/etches.ts';
import { noteEtched } from '../etched.ts';
import { checked, filled, type Form, formOf } from '../form.ts';
import { type PageParts, siteFor } from '../parts.ts';
import { sendPage } from '../send.ts';
import { callerOf } from '../session.ts';
import { formProblem, utcOf } from './answers.ts';
import { partsOf, putForecast } from './forecast-form.ts';
import { seeOther } from '../see-other.ts';

/** Two steps; the second is final. */
export function mountWritePages(pages: FastifyInstance, parts: PageParts): void {
  const { db, clock } = parts.facts;
  const { creator } = parts.etches;
  const { limits } = parts;

  pages.get<{ Querystring: { challenge?: string; template?: string } }>('/write', async (request, reply) => {
    const caller = callerOf(request);
    const { challenge, template = '' } = request.query;
    const draft = draftOf({ challenge_id: challenge, content: templateOf(template) });
    if (challenge === undefined) return show(request, reply, { draft });
    const terms = await termsOf(caller, challenge);
    // Already answered or too late: a second form would fail.
    if (entryRefusal(terms, clock.now())) return seeOther(reply, `/ch/${terms.id}`);
    return show(request, reply, { draft, answering: answeringOf(terms) });
  });

  pages.post('/write', async (request, reply) => {
    const form = formOf(request);
    const draft = draftOf(form);
    // A preset counts from now.
    draft.reveal_at = presetTime(form['opens_in'], clock.now()) ?? draft.reveal_at;
    let answering: Answering | undefined;
    try {
      const caller = callerOf(request);
      if (form['step'] === 'copy') return sendCopy(reply, draft);
      const terms = form['challenge_id'] ? await termsOf(caller, form['challenge_id']) : undefined;
      answering = terms && answeringOf(terms);
      if (form['step'] === 'edit') return show(request, reply, { draft, answering, sent: true });
      putForecast(draft, terms?.question);
      const asked = readEtch(request, { ...form, content: draft.content, reveal_at: draft.reveal_at });
      if (form['step'] === 'etch') {
        if (form['blind'] === 'on') checkBlind(asked);
        const { etch } = await creator.create(caller, asked, `page:${draft.draft}`);
        noteEtched(reply, parts.site.baseUrl, draft.draft);
        return seeOther(reply, `/e/${etch.id}`);
      }
      const refusal = refusalOf(asked, terms) ?? misfitRefusal(form, draft, terms?.question);
      if (refusal) throw refusal;
      return await preview(request, reply, { caller, draft, answering, asked });
    } catch (error) {
      // The earlier etch keeps the draft; the new text is a new draft.
      if (error instanceof KeyUsed) draft.draft = randomUUID();
      const problem = formProblem(error instanceof KeyUsed ? alreadyEtched() : error, request, reply);
      return show(request, reply, { draft, answering, problem, sent: true });
    }
  });

  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    data: Omit<WriteData, 'leadSeconds'>,
  ): Promise<FastifyReply> =>
    sendPage(
      request,
      reply,
      writePage(siteFor(parts.site, request), { ...data, leadSeconds: limits.minRevealLeadSeconds }),
    );

  async function preview(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      caller,
      draft,
      answering,
      asked,
    }: { caller: Caller; draft: EtchDraft; answering: Answering | undefined; asked: EtchRequest },
  ): Promise<FastifyReply> {
    const perDay = etchesPerDay(caller, limits);
    const bucket = refill(await readBucket(db, caller.userId, 'etch'), perDay, clock.now());
    const data = {
      draft,
      answering,
      topic: answering?.topic ?? topicLabel(asked.category_id),
      revealAt: answering?.revealAt ?? asked.reveal_at ?? null,
      remaining: remaining(bucket, perDay),
    };
    return sendPage(request, reply, previewEtchPage(siteFor(parts.site, request), data));
  }

  /** For a reason of time; checked again when the form is sent. */
  function refusalOf(asked: EtchRequest, terms: EntryTerms | undefined): Failure | undefined {
    if (terms) return entryRefusal(terms, clock.now());
    return asked.reveal_at === undefined
      ? undefined
      : leadRefusal(asked.reveal_at, clock.now(), limits.minRevealLeadSeconds);
  }

  /** The browser encrypted the text. @throws Failure bad_request */
  function checkBlind({ content }: EtchRequest): void {
    const now = clock.now();
    const seal = readBlindSeal(content, new Date(now).toISOString(), parts.site.drand);
    const refusal = seal
      ? leadRefusal(seal.due, now, limits.minRevealLeadSeconds)
      : badField('content', 'would be a mere text: it is no blind seal whose time is still ahead');
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

/** Until the opening their author can read them nowhere else. */
function sendCopy(reply: FastifyReply, { content, reveal_at: opens }: EtchDraft): FastifyReply {
  const day = /^\d{4}-\d\d-\d\d/.exec(opens)?.[0];
  return reply
    .header('Cache-Control', 'no-store')
    .header('Content-Type', 'text/plain; charset=utf-8')
    .header('Content-Disposition', `attachment; filename="sealed-words${day ? `-${day}` : ''}.txt"`)
    .send(content);
}

/** @throws Failure bad_request */
function readEtch(request: FastifyRequest, form: Form): EtchRequest {
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
    // The contract requires a topic; the challenge's applies.
    const body = { content, category_id: 'other', mode: 'delayed', challenge_id: form['challenge_id'] };
    return toEtchRequest(checked(request, 'createEtch', body));
  }
  const isSealed = fields['mode'] !== 'instant';
  const body = { ...fields, ...(isSealed && revealAt !== undefined && { reveal_at: utcOf(revealAt) }) };
  return toEtchRequest(checked(request, 'createEtch', body));
}

const templateOf = (name: string): string =>
  Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name as keyof typeof TEMPLATES] : '';

/** The author can confirm that a text is meant. */
function misfitRefusal(
  form: Form,
  { content }: EtchDraft,
  question: string | undefined,
): Failure | undefined {
  const misfit = form['as_text'] === 'on' ? null : wordsMisfit(content, question);
  return misfit === null ? undefined : badField('content', `would be a mere text: ${misfit}`);
}

function draftOf(form: Form): EtchDraft {
  const {
    draft,
    content = '',
    forecast_line: forecast = '',
    description = '',
    category_id = '',
    mode = '',
    reveal_at = '',
  } = form;
  const { challenge_id } = form;
  return {
    draft: draft !== undefined && isUuid(draft) ? draft.toLowerCase() : randomUUID(),
    content,
    parts: partsOf(form),
    forecast,
    description,
    category_id,
    mode,
    reveal_at,
    challenge_id,
  };
}

const answeringOf = (terms: EntryTerms): Answering => ({
  id: terms.id,
  question: terms.question,
  topic: topicLabel(terms.category_id),
  revealAt: terms.reveal_at,
});

export const topicLabel = (id: string): string => (isTopicId(id) ? TOPIC_LABELS[id] : id);

const alreadyEtched = (): Failure =>
  new Failure(
    'conflict',
    'an earlier text of this draft was etched already and stands as it is: what is below is a new draft',
  );

export const timeOf = (text: string): string => parseDateTime(text)!;
