import {
  askedByForecast,
  ConventionError,
  outcomeMisfit,
  parseQuestion,
  readWords,
  resolutionDescription,
  resolutionWords,
  VOID,
} from '@svc/protocol/conventions';
import { type ChallengeDraft, newChallengePage, previewChallengePage } from '../new-challenge.tsx';
import type { FormProblem } from '@svc/web/parts/form';
import type { Page } from '@svc/web/site';
import { previewResolutionPage, type ResolutionDraft, resolvePage, type Resolving } from '../resolve.tsx';
import { questionOf, typedAsks } from '@svc/web/asks';
import { titleOf } from '@svc/web/etch-text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findChallengeDetail } from '../../../challenges/store.ts';
import { isClosed } from '../../../challenges/view.ts';
import { etchView } from '../../../etches/view.ts';
import type { Caller } from '../../../identity/caller.ts';
import { badField, Failure } from '../../../platform/failure.ts';
import { type Outcome, readForecastOutcome, readOutcomes } from '../../../records/scores/resolution.ts';
import type { Parts } from '../../parts.ts';
import { toEtchRequest } from '../../routes/etches.ts';
import { type ById, checked, filled, type Form, formOf, formProblem, utcOf } from '../form.ts';
import { seeOther } from '../send.ts';
import { plainNumber } from './plain-number.ts';
import { callerOf } from '../session.ts';
import { noteEtched, siteFor } from '../site.ts';
import { challengeFinder, etchFinder } from '../subjects.ts';
import { randomUUID } from 'node:crypto';
import { isTopicId, isUuid, parseDateTime, TOPIC_LABELS } from '@svc/contract';
import { type ChallengeRequest, createChallenge } from '../../../acts/challenge-store.ts';
import { leadRefusal } from '../../../acts/creation.ts';
import { etchesPerDay, readBucket, refill, remaining } from '../../../accounts/allowance-store.ts';
import { KeyUsed } from '../../../accounts/idempotency-store.ts';

interface Target extends Resolving {
  id: string;
  category: string;
  outcome: Outcome;
}

export function mountResolvePages(pages: FastifyInstance, parts: Parts): void {
  const { db, clock, view } = parts;
  const { creator, reader } = parts.etches;
  const findEtch = etchFinder(reader);
  const findChallengeId = challengeFinder(db);

  for (const [url, find] of [
    ['/ch/:id/resolve', findChallenge],
    ['/e/:id/resolve', findForecast],
  ] as const) {
    pages.get(url, async (request: ById, reply) => {
      const target = await find(callerOf(request), request.params.id);
      const done = resolvedBy(target);
      if (done !== undefined) return seeOther(reply, `/e/${done}`);
      return resolvePage(siteFor(parts, request), target, { draft: resolutionOf({}) });
    });

    pages.post(url, async (request: ById, reply) => {
      // If the session ended, the form keeps the typed text.
      const target = await find(request.session?.caller, request.params.id);
      const done = resolvedBy(target);
      if (done !== undefined) return seeOther(reply, `/e/${done}`);
      return answer(request, reply, target);
    });
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    target: Target,
  ): Promise<Page | FastifyReply> {
    const form = formOf(request);
    const draft = resolutionOf(form);
    const site = siteFor(parts, request);
    try {
      const caller = callerOf(request);
      if (form['step'] === 'edit') return resolvePage(site, target, { draft });
      const { outcome, words } = wordsOf(draft, target);
      const body = {
        content: words,
        description: resolutionDescription(target.id),
        category_id: target.category,
        mode: 'instant',
      };
      const asked = toEtchRequest(checked(request, 'createEtch', body));
      if (form['step'] === 'etch') {
        const { etch } = await creator.create(caller, asked, `page:${draft.draft}`);
        return seeOther(reply, `/e/${etch.id}`);
      }
      const remaining = await leftToday(parts, caller, 'etch');
      return previewResolutionPage(site, target, { draft, outcome, words, remaining });
    } catch (error) {
      const shown = newDraftIfUsed(draft, error, 'this form was sent before: check it again');
      return resolvePage(site, target, { draft, problem: formProblem(shown, request, reply) });
    }
  }

  async function findChallenge(caller: Caller | undefined, name: string): Promise<Target> {
    const found = await findChallengeDetail(db, await findChallengeId(name));
    if (!found) throw new Failure('not_found', 'no challenge has this address');
    const { id, question, category_id: category, creator_id: creatorId, username, reveal_at: closes } = found;
    if (caller && creatorId !== caller.userId)
      throw new Failure('forbidden', `only @${username}, who created this challenge, can resolve it`);
    const asked = parseQuestion(question);
    if (asked.asks === 'text')
      throw new Failure('unprocessable', 'this challenge asks for a text, so it cannot be resolved');
    const now = clock.now();
    if (!isClosed(found, now))
      throw new Failure('unprocessable', `this challenge is open until ${closes}: resolve it after that`);
    const outcomes = await readOutcomes(db, [found], { keyring: view.keyring, now });
    const topic = topicLabel(category);
    return { id, path: `/ch/${id}`, question, asked, category, topic, outcome: outcomes.get(id)! };
  }

  async function findForecast(caller: Caller | undefined, name: string): Promise<Target> {
    const now = clock.now();
    const etch = etchView(await findEtch(name), now, view);
    const { id, author, content, challenge, category } = etch;
    if (challenge !== null)
      throw new Failure(
        'unprocessable',
        'this etch answers a challenge: the challenge’s creator resolves it',
      );
    if (caller && author.user_id !== caller.userId)
      throw new Failure('forbidden', `only @${author.username}, who wrote this forecast, can resolve it`);
    const words = readWords(content ?? '');
    if (words.kind !== 'forecast')
      throw new Failure('unprocessable', 'this etch is no public forecast, so it cannot be resolved');
    const asked = askedByForecast(words);
    if (asked.asks === 'text') throw new Failure('unprocessable', 'this forecast cannot be resolved');
    return {
      id,
      path: `/e/${id}`,
      question: titleOf(etch),
      asked,
      category: category.id,
      topic: category.label,
      outcome: await readForecastOutcome(db, etch, words, { keyring: view.keyring, now }),
    };
  }
}

function resolvedBy({ outcome }: Target): string | undefined {
  switch (outcome.state) {
    case 'resolved':
    case 'void':
      return outcome.first.etch_id;
    case 'pending':
      return outcome.etchId;
    case 'retracted':
      throw new Failure(
        'unprocessable',
        'you retracted the first resolution of this question, so it stays unresolved permanently',
      );
    case 'open':
      return undefined;
  }
}

function wordsOf(draft: ResolutionDraft, { id, asked }: Target): { outcome: string; words: string } {
  const typed = asked.asks === 'number' ? plainNumber(draft.outcome) : draft.outcome;
  const outcome = draft.isVoid ? VOID : typed;
  const wrong = [
    ...(outcome === '' ? [{ path: 'outcome', message: 'is required' }] : []),
    ...(draft.source === '' ? [{ path: 'source', message: 'is required' }] : []),
  ];
  const misfit = outcome === '' ? null : outcomeMisfit(outcome, asked);
  if (misfit !== null) wrong.unshift({ path: 'outcome', message: misfit });
  if (wrong.length > 0) throw new Failure('bad_request', 'the form is not complete', wrong);
  try {
    return { outcome, words: resolutionWords({ target: id, outcome, source: draft.source }) };
  } catch (error) {
    if (error instanceof ConventionError) throw badField('source', error.message);
    throw error;
  }
}

function resolutionOf(form: Form): ResolutionDraft {
  const { outcome = '', source = '', void: isVoid } = form;
  return {
    draft: draftId(form),
    outcome: outcome.trim(),
    isVoid: isVoid === 'on',
    source: source.trim().replace(/\s+/g, ' '),
  };
}

export function mountNewChallengePages(pages: FastifyInstance, parts: Parts): void {
  const { db, clock, keyring } = parts;
  const { limits } = parts.config;
  const leadSeconds = limits.minRevealLeadSeconds;

  const show = (request: FastifyRequest, draft: ChallengeDraft, problem?: FormProblem) =>
    newChallengePage(siteFor(parts, request), { draft, leadSeconds, ...(problem && { problem }) });

  pages.get('/challenges/new', async (request) => {
    callerOf(request);
    return show(request, draftOf({}));
  });

  pages.post('/challenges/new', async (request, reply) => {
    const form = formOf(request);
    const draft = draftOf(form);
    try {
      const caller = callerOf(request);
      if (form['step'] === 'edit') return show(request, draft);
      const asked = readChallenge(request, form, draft);
      if (form['step'] === 'ask') {
        const context = { db, clock, keyring, limits };
        const { challenge } = await createChallenge(context, caller, asked, `page:${draft.draft}`);
        noteEtched(reply, parts.baseUrl, draft.draft);
        return seeOther(reply, `/ch/${challenge.id}`);
      }
      const refusal = leadRefusal(asked.reveal_at, clock.now(), leadSeconds);
      if (refusal) throw refusal;
      const { draft: id, category_id, reveal_at } = draft;
      return previewChallengePage(siteFor(parts, request), {
        sent: { draft: id, question: asked.question, category_id, reveal_at },
        topic: topicLabel(asked.category_id),
        revealAt: asked.reveal_at,
        remaining: await leftToday(parts, caller, 'challenge'),
      });
    } catch (error) {
      return show(request, draft, formProblem(newDraftIfUsed(draft, error, ASKED), request, reply));
    }
  });
}

const ASKED =
  'you asked an earlier version of this question already, and it stays unchanged: the form below is a new draft';

function readChallenge(request: FastifyRequest, form: Form, draft: ChallengeDraft): ChallengeRequest {
  const written = questionOf(draft);
  if (typeof written !== 'string') throw badField(written.path, written.message);
  const sent = { ...form, question: written };
  const { reveal_at: revealAt, ...fields } = filled(sent, 'question', 'category_id', 'reveal_at');
  const { question, category_id, reveal_at } = checked(request, 'createChallenge', {
    ...fields,
    ...(revealAt !== undefined && { reveal_at: utcOf(revealAt) }),
  });
  return { question, category_id, reveal_at: parseDateTime(reveal_at)! };
}

function draftOf(form: Form): ChallengeDraft {
  const { question = '', asks, outcomes = '', unit = '', levels = '' } = form;
  const { category_id = '', reveal_at = '' } = form;
  return {
    draft: draftId(form),
    ...(asks === undefined ? typedAsks(question) : { question, asks, outcomes, unit, levels }),
    category_id,
    reveal_at,
  };
}

/** A draft's id is its Idempotency-Key, so that a form that is sent twice creates one record. */
export const draftId = ({ draft }: Form): string =>
  draft !== undefined && isUuid(draft) ? draft.toLowerCase() : randomUUID();

/** The earlier record keeps the draft's id, so the new text needs a new one. */
export function newDraftIfUsed(draft: { draft: string }, error: unknown, message: string): unknown {
  if (!(error instanceof KeyUsed)) return error;
  draft.draft = randomUUID();
  return new Failure('conflict', message);
}

export async function leftToday(
  { db, clock, config: { limits } }: Parts,
  caller: Caller,
  kind: 'etch' | 'challenge',
): Promise<number> {
  const perDay = kind === 'etch' ? etchesPerDay(caller, limits) : limits.challengesPerDay;
  return remaining(refill(await readBucket(db, caller.userId, kind), perDay, clock.now()), perDay);
}

export const topicLabel = (id: string): string => (isTopicId(id) ? TOPIC_LABELS[id] : id);
