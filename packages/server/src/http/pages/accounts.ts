import { ROUTES } from '@svc/contract';
import { accountPage } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { toTime } from '../../db/clock.ts';
import { auditedAt } from '../../records/audit-store.ts';
import { countRecordDays, readScopes } from '../../records/record-store.ts';
import { scoreAccount } from '../../records/scores/score.ts';
import { type Parts, scoreContext } from '../parts.ts';
import { answerRecord, markdownPage } from '../routes/records.ts';
import { prepareCards } from './draw-cards.ts';
import { orProblem } from './scores.ts';
import { sendMarkdown, splitEnding } from './send.ts';
import { followingOf } from './session.ts';
import { siteFor } from './site.ts';

export function mountAccountPages(app: FastifyInstance, parts: Parts): void {
  const { db, clock } = parts;

  app.get<{
    Params: { username: string };
    Querystring: { category?: string; limit?: string; cursor?: string };
  }>('/u/:username', { schema: { querystring: ROUTES.listUserEtches.query } }, async (request, reply) => {
    const { name, form } = splitEnding(request.params.username, request);
    const { query } = request;
    if (form === 'markdown') {
      const { markdown } = await markdownPage(parts, name, query.cursor);
      return sendMarkdown(request, reply, markdown);
    }
    const record = await answerRecord(parts, name, query);
    if (form === 'json') return record;
    const id = record.user.user_id;
    const days = await countRecordDays(db, id, toTime(clock.now()));
    const audited = await auditedAt(db, id, parts.lastAudit, clock.now());
    const isFirst = query.cursor === undefined;
    const score = isFirst ? await orProblem(scoreAccount(scoreContext(parts), name, 1)) : undefined;
    const scopes = isFirst ? await readScopes(db, id) : [];
    const following = await followingOf(parts, request, 'user', id);
    await prepareCards(record.etches, parts, { showAuthor: false });
    return accountPage(siteFor(parts, request), record, { days, isFirst, following, score, scopes, audited });
  });
}
