import { randomUUID } from 'node:crypto';
import { isUuid } from '@svc/contract';
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
import { previewResolutionPage, type ResolutionDraft, resolvePage, type Resolving, titleOf } from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { etchesPerDay, refill, remaining } from '../../../accounts/allowance.ts';
import { KeyUsed } from '../../../accounts/idempotency.ts';
import { readBucket } from '../../../accounts/store.ts';
import { findChallengeDetail } from '../../../challenges/store.ts';
import { isClosed } from '../../../challenges/view.ts';
import { badField, Failure } from '../../../platform/failure.ts';
import { etchView } from '../../../etches/view.ts';
import type { Caller } from '../../../identity/caller.ts';
import { type Outcome, readForecastOutcome, readOutcomes } from '../../../records/scores/resolution.ts';
import { toEtchRequest } from '../../routes/etches.ts';
import { challengeFinder } from '../challenges.ts';
import { etchFinder } from '../etches.ts';
import { checked, type Form, formOf, formProblem } from '../form.ts';
import { type PageParts, siteFor } from '../parts.ts';
import { seeOther, sendPage } from '../send.ts';
import { callerOf } from '../session.ts';
import { topicLabel } from './write.ts';

interface Path {
  Params: { id: string };
}

interface Target extends Resolving {
  id: string;
  category: string;
  outcome: Outcome;
}

export function mountResolvePages(pages: FastifyInstance, parts: PageParts): void {
  const { db, clock, view } = parts.facts;
  const { creator, reader } = parts.etches;
  const findEtch = etchFinder(reader);
  const findChallengeId = challengeFinder(db);

  for (const [url, find] of [
    ['/ch/:id/resolve', findChallenge],
    ['/e/:id/resolve', findForecast],
  ] as const) {
    pages.get<Path>(url, async (request, reply) => {
      const target = await find(callerOf(request), request.params.id);
      const done = resolvedBy(target);
      if (done !== undefined) return seeOther(reply, `/e/${done}`);
      return sendPage(
        request,
        reply,
        resolvePage(siteFor(parts.site, request), target, { draft: draftOf({}) }),
      );
    });

    pages.post<Path>(url, async (request, reply) => {
      // If the session ended, the form keeps the typed text.
      const target = await find(request.session?.caller, request.params.id);
      const done = resolvedBy(target);
      if (done !== undefined) return seeOther(reply, `/e/${done}`);
      return answer(request, reply, target);
    });
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, target: Target): Promise<FastifyReply> {
    const form = formOf(request);
    const draft = draftOf(form);
    const site = siteFor(parts.site, request);
    try {
      const caller = callerOf(request);
      if (form['step'] === 'edit')
        return await sendPage(request, reply, resolvePage(site, target, { draft }));
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
      const perDay = etchesPerDay(caller, parts.limits);
      const bucket = refill(await readBucket(db, caller.userId, 'etch'), perDay, clock.now());
      const left = remaining(bucket, perDay);
      return await sendPage(
        request,
        reply,
        previewResolutionPage(site, target, { draft, outcome, words, remaining: left }),
      );
    } catch (error) {
      if (error instanceof KeyUsed) draft.draft = randomUUID();
      const problem = formProblem(
        error instanceof KeyUsed
          ? new Failure('conflict', 'this form was sent before: check it again')
          : error,
        request,
        reply,
      );
      return sendPage(request, reply, resolvePage(site, target, { draft, problem }));
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
    return {
      id,
      path: `/ch/${id}`,
      question,
      asked,
      category,
      topic: topicLabel(category),
      outcome: outcomes.get(id)!,
    };
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
  const outcome = draft.isVoid ? VOID : draft.outcome;
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

function draftOf({ draft, outcome = '', source = '', void: isVoid }: Form): ResolutionDraft {
  return {
    draft: draft !== undefined && isUuid(draft) ? draft.toLowerCase() : randomUUID(),
    outcome: outcome.trim(),
    isVoid: isVoid === 'on',
    source: source.trim().replace(/\s+/g, ' '),
  };
}
