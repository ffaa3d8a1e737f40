import { randomUUID } from 'node:crypto';
import { isUuid } from '@svc/contract';
import { type ChallengeDraft, newChallengePage, previewChallengePage, questionOf, typedAsks } from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refill, remaining } from '../../../accounts/allowance.ts';
import { KeyUsed } from '../../../accounts/idempotency.ts';
import { readBucket } from '../../../accounts/store.ts';
import { leadRefusal } from '../../../acts/creation.ts';
import { type ChallengeRequest, createChallenge } from '../../../acts/open-challenge.ts';
import { badField, Failure } from '../../../platform/failure.ts';
import { noteEtched } from '../cookies.ts';
import { checked, filled, type Form, formOf, formProblem, utcOf } from '../form.ts';
import { type PageParts, siteFor } from '../parts.ts';
import { seeOther, sendPage } from '../send.ts';
import { callerOf } from '../session.ts';
import { timeOf, topicLabel } from './write.ts';

export function mountNewChallengePages(pages: FastifyInstance, parts: PageParts): void {
  const { db, clock, view } = parts.facts;
  const { limits } = parts;
  const { keyring } = view;
  const leadSeconds = limits.minRevealLeadSeconds;

  pages.get('/challenges/new', async (request, reply) => {
    callerOf(request);
    return sendPage(
      request,
      reply,
      newChallengePage(siteFor(parts.site, request), { draft: draftOf({}), leadSeconds }),
    );
  });

  pages.post('/challenges/new', async (request, reply) => {
    const form = formOf(request);
    const draft = draftOf(form);
    try {
      const caller = callerOf(request);
      if (form['step'] === 'edit')
        return sendPage(
          request,
          reply,
          newChallengePage(siteFor(parts.site, request), { draft, leadSeconds }),
        );
      const asked = readChallenge(request, form, draft);
      if (form['step'] === 'ask') {
        const { challenge } = await createChallenge(
          { db, clock, keyring, limits },
          caller,
          asked,
          `page:${draft.draft}`,
        );
        noteEtched(reply, parts.site.baseUrl, draft.draft);
        return seeOther(reply, `/ch/${challenge.id}`);
      }
      const refusal = leadRefusal(asked.reveal_at, clock.now(), leadSeconds);
      if (refusal) throw refusal;
      return await preview(request, reply, draft, asked);
    } catch (error) {
      if (error instanceof KeyUsed) draft.draft = randomUUID();
      const problem = formProblem(error instanceof KeyUsed ? alreadyAsked() : error, request, reply);
      return sendPage(
        request,
        reply,
        newChallengePage(siteFor(parts.site, request), { draft, problem, leadSeconds }),
      );
    }
  });

  async function preview(
    request: FastifyRequest,
    reply: FastifyReply,
    draft: ChallengeDraft,
    asked: ChallengeRequest,
  ): Promise<FastifyReply> {
    const perDay = limits.challengesPerDay;
    const { userId } = callerOf(request);
    const bucket = refill(await readBucket(db, userId, 'challenge'), perDay, clock.now());
    return sendPage(
      request,
      reply,
      previewChallengePage(siteFor(parts.site, request), {
        sent: {
          draft: draft.draft,
          question: asked.question,
          category_id: draft.category_id,
          reveal_at: draft.reveal_at,
        },
        topic: topicLabel(asked.category_id),
        revealAt: asked.reveal_at,
        remaining: remaining(bucket, perDay),
      }),
    );
  }
}

function readChallenge(request: FastifyRequest, form: Form, draft: ChallengeDraft): ChallengeRequest {
  const written = questionOf(draft);
  if (typeof written !== 'string') throw badField(written.path, written.message);
  const sent = { ...form, question: written };
  const { reveal_at: revealAt, ...fields } = filled(sent, 'question', 'category_id', 'reveal_at');
  const { question, category_id, reveal_at } = checked(request, 'createChallenge', {
    ...fields,
    ...(revealAt !== undefined && { reveal_at: utcOf(revealAt) }),
  });
  return { question, category_id, reveal_at: timeOf(reveal_at) };
}

function draftOf(form: Form): ChallengeDraft {
  const { draft, question = '', asks, outcomes = '', unit = '', levels = '' } = form;
  return {
    draft: draft !== undefined && isUuid(draft) ? draft.toLowerCase() : randomUUID(),
    ...(asks === undefined ? typedAsks(question) : { question, asks, outcomes, unit, levels }),
    category_id: form['category_id'] ?? '',
    reveal_at: form['reveal_at'] ?? '',
  };
}

const alreadyAsked = (): Failure =>
  new Failure(
    'conflict',
    'you asked an earlier version of this question already, and it stays unchanged: the form below is a new draft',
  );
