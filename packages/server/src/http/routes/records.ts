import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { knownTopics } from '../../challenges/list.ts';
import type { Clock } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import type { ViewContext } from '../../etches/view.ts';
import { recordMarkdown } from '../../records/record-markdown.ts';
import type { RecordPlace } from '../../records/record-store.ts';
import { readRecord } from '../../records/record.ts';
import { compressed } from '../compress.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import { idOf, sendError } from '../errors.ts';
import { textInPieces } from '../large-answers.ts';
import { operation } from '../operation.ts';
import { scoreAccount, scoreChallenge, type ScoreContext } from '../../records/scores/score.ts';

interface RecordRoutes {
  db: Db;
  clock: Clock;
  view: ViewContext;
}

const DEFAULT_LIMIT = 30;
const MARKDOWN_PAGE = 100;

export function mountRecords(api: FastifyInstance, { db, clock, view }: RecordRoutes): void {
  operation(api, ROUTES.listUserEtches, async ({ params, query, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return answerRecord({ db, clock, view }, params.username, query);
  });

  operation(api, ROUTES.getRecord, async ({ params, query, reply }) => {
    void reply.header('Cache-Control', 'no-store');
    const { markdown, nextCursor } = await markdownPage({ db, clock, view }, params.username, query.cursor);
    return { format: 'markdown', markdown, next_cursor: nextCursor };
  });
}

export async function answerRecord(
  { db, clock, view }: RecordRoutes,
  username: string,
  query: { category?: string; limit?: string; cursor?: string },
) {
  const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
  const categories = knownTopics(query.category);
  const cursors = recordCursors(view, username, categories.join());
  const record = await readRecord(
    db,
    username,
    { limit, categories, ...cursors.read(query.cursor) },
    clock.now(),
    view,
  );
  const { next, ...rest } = record;
  return { ...rest, page: { limit, has_more: next !== undefined, next_cursor: cursors.make(next) } };
}

export function mountRawRecord(app: FastifyInstance, parts: RecordRoutes): void {
  app.get<{ Params: { username: string }; Querystring: { cursor?: string } }>(
    '/u/:username/record.md',
    {
      errorHandler: sendError,
      schema: { querystring: { type: 'object', properties: { cursor: { type: 'string' } } } },
    },
    async (request, reply) => {
      const { markdown } = await markdownPage(parts, request.params.username, request.query.cursor);
      return reply
        .header('Content-Type', 'text/markdown; charset=utf-8')
        .header('Cache-Control', 'no-store')
        .send(await compressed(request, reply, await textInPieces(markdown)));
    },
  );
}

export async function markdownPage(
  { db, clock, view }: RecordRoutes,
  username: string,
  cursor: string | undefined,
) {
  const cursors = recordCursors(view, username, 'markdown');
  const page = await readRecord(
    db,
    username,
    { limit: MARKDOWN_PAGE, ...cursors.read(cursor) },
    clock.now(),
    view,
  );
  const nextCursor = cursors.make(page.next);
  const nextUrl = nextCursor && `${view.baseUrl}/u/${page.user.username}/record.md?cursor=${nextCursor}`;
  return {
    markdown: await recordMarkdown(page, {
      baseUrl: view.baseUrl,
      isFirst: cursor === undefined,
      nextUrl,
      drand: view.drand,
    }),
    nextCursor,
  };
}

function recordCursors({ keyring }: ViewContext, username: string, list: string) {
  const name = `record:${username.toLowerCase()}:${list}`;
  return {
    read(cursor: string | undefined): { after?: RecordPlace } {
      if (cursor === undefined) return {};
      const [createdAt, id] = readCursor(keyring, name, cursor);
      return { after: { createdAt: String(createdAt), id: String(id) } };
    },
    make: (place: RecordPlace | undefined): string | null =>
      place ? makeCursor(keyring, name, [place.createdAt, place.id]) : null,
  };
}

interface ScoreRoutes extends Omit<ScoreContext, 'now'> {
  clock: Clock;
}

export function mountScores(api: FastifyInstance, { clock, ...parts }: ScoreRoutes): void {
  operation(api, ROUTES.scoreAccount, async ({ params, query, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return scoreAccount({ ...parts, now: clock.now() }, params.username, Number(query.page ?? 1));
  });

  operation(api, ROUTES.scoreChallenge, async ({ params, query, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    const id = idOf(params.id, 'there is no challenge with this id');
    return scoreChallenge({ ...parts, now: clock.now() }, id, Number(query.page ?? 1));
  });
}
