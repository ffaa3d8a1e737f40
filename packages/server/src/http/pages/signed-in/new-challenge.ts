import { randomUUID } from 'node:crypto';
import { isTopicId, isUuid, parseDateTime, TOPIC_LABELS } from '@svc/contract';
import {
  type ChallengeDraft,
  type FormProblem,
  newChallengePage,
  previewChallengePage,
  questionOf,
  typedAsks,
} from '@svc/web';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ChallengeRequest, createChallenge } from '../../../acts/challenge-store.ts';
import { badField, Failure } from '../../../platform/failure.ts';
import type { Parts } from '../../parts.ts';
import { noteEtched, siteFor } from '../site.ts';
import { checked, filled, type Form, formOf, formProblem, utcOf } from '../form.ts';
import { seeOther } from '../send.ts';
import { callerOf } from '../session.ts';
import { leadRefusal } from '../../../acts/creation.ts';
import { etchesPerDay, readBucket, refill, remaining } from '../../../accounts/allowance-store.ts';
import { KeyUsed } from '../../../accounts/idempotency-store.ts';
import type { Caller } from '../../../identity/caller.ts';

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
      const shown = newDraftIfUsed(draft, error, ASKED);
      return show(request, draft, formProblem(shown, request, reply));
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
