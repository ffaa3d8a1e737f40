import { ROUTES } from '@svc/contract';
import { accountPage } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { toTime } from '../../db/clock.ts';
import { countRecordDays, readScopes } from '../../records/record-store.ts';
import { answerRecord, markdownPage } from '../routes/records.ts';
import { auditedAt } from '../../records/audit-store.ts';
import { scoreAccount } from '../../records/scores/score.ts';
import { prepareCards } from './draw-cards.ts';
import { followingOf } from './session.ts';
import { orProblem, scoreContext } from './scores.ts';
import { type PageParts, siteFor } from './parts.ts';
import { sendData, sendMarkdown, sendPage, splitEnding } from './send.ts';

export function mountAccountPages(app: FastifyInstance, parts: PageParts): void {
  app.get<{
    Params: { username: string };
    Querystring: { category?: string; limit?: string; cursor?: string };
  }>('/u/:username', { schema: { querystring: ROUTES.listUserEtches.query } }, async (request, reply) => {
    const { name, form } = splitEnding(request.params.username, request.headers.accept);
    const { query } = request;
    if (form === 'markdown') {
      const { markdown } = await markdownPage(parts.facts, name, query.cursor);
      return sendMarkdown(request, reply, markdown);
    }
    const record = await answerRecord(parts.facts, name, query);
    if (form === 'json') return sendData(request, reply, record);
    const { db, clock } = parts.facts;
    const { user_id: id } = record.user;
    const days = await countRecordDays(db, id, toTime(clock.now()));
    const audited = await auditedAt(db, id, parts.lastAudit, clock.now());
    const isFirst = query.cursor === undefined;
    const score = isFirst ? await orProblem(scoreAccount(scoreContext(parts), name, 1)) : undefined;
    const scopes = isFirst ? await readScopes(db, id) : [];
    const following = await followingOf(parts.facts, request, 'user', id);
    await prepareCards(record.etches, parts, { showAuthor: false });
    return sendPage(
      request,
      reply,
      accountPage(siteFor(parts.site, request), record, { days, isFirst, following, score, scopes, audited }),
    );
  });
}
