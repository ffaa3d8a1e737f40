import type { FastifyInstance } from 'fastify';
import { recordMarkdown } from '../../records/record-markdown.ts';
import { readRecord } from '../../records/record.ts';
import { scoreAccount, scoreChallenge } from '../../records/scores/score.ts';
import { compressed } from '../compress.ts';
import { listPage } from '../cursor.ts';
import { idOf, sendError } from '../errors.ts';
import { textInPieces } from '../large-answers.ts';
import type { Operations } from '../operation.ts';
import { type Parts, scoreContext } from '../parts.ts';
import { knownTopics } from '../../challenges/list.ts';

const MARKDOWN_PAGE = '100';

export const recordRoutes = (parts: Parts): Operations => ({
  listUserEtches: ({ params, query }) => answerRecord(parts, params.username, query),

  async getRecord({ params, query, reply }) {
    void reply.header('Cache-Control', 'no-store');
    const { markdown, nextCursor } = await markdownPage(parts, params.username, query.cursor);
    return { format: 'markdown', markdown, next_cursor: nextCursor };
  },

  scoreAccount: ({ params, query }) =>
    scoreAccount(scoreContext(parts), params.username, Number(query.page ?? 1)),

  scoreChallenge({ params, query }) {
    const id = idOf(params.id, 'there is no challenge with this id');
    return scoreChallenge(scoreContext(parts), id, Number(query.page ?? 1));
  },
});

export async function answerRecord(
  parts: Parts,
  username: string,
  { category, ...query }: { category?: string; limit?: string; cursor?: string },
) {
  const categories = knownTopics(category);
  const { found, page } = await readPage(parts, username, categories.join(), query, categories);
  const { next: _, ...record } = found;
  return { ...record, page };
}

export function mountRawRecord(app: FastifyInstance, parts: Parts): void {
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

export async function markdownPage(parts: Parts, username: string, cursor: string | undefined) {
  const query = { limit: MARKDOWN_PAGE, ...(cursor !== undefined && { cursor }) };
  const { found, page } = await readPage(parts, username, 'markdown', query);
  const { baseUrl, drand } = parts.view;
  const nextCursor = page.next_cursor;
  const nextUrl = nextCursor && `${baseUrl}/u/${found.user.username}/record.md?cursor=${nextCursor}`;
  const isFirst = cursor === undefined;
  return { markdown: await recordMarkdown(found, { baseUrl, isFirst, nextUrl, drand }), nextCursor };
}

async function readPage(
  { db, clock, view }: Parts,
  username: string,
  list: string,
  query: { limit?: string; cursor?: string },
  categories?: ReturnType<typeof knownTopics>,
) {
  const { limit, after, page } = listPage(view.keyring, `record:${username.toLowerCase()}:${list}`, query);
  const options = {
    limit,
    ...(categories && { categories }),
    ...(after && { after: { createdAt: String(after[0]), id: String(after[1]) } }),
  };
  const found = await readRecord(db, username, options, clock.now(), view);
  return { found, page: page(found.next && [found.next.createdAt, found.next.id]) };
}
