import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { toTime } from '../../../db/clock.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { answerRecord } from '../../routes/records.ts';
import { callerOf } from '../session.ts';

export function mountExport(pages: FastifyInstance, deps: HttpDependencies): void {
  pages.get('/account/export', async (request, reply) => {
    const {
      userId,
      author: { username },
    } = callerOf(request);
    return reply
      .header('Content-Type', 'application/x-ndjson; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="record-${username}.ndjson"`)
      .header('Cache-Control', 'no-store')
      .send(Readable.from(exportedLines(deps, { username, userId })));
  });
}

/** A file without the last line is incomplete. */
async function* exportedLines(
  deps: HttpDependencies,
  { username, userId }: { username: string; userId: string },
): AsyncGenerator<string> {
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  let count = 0;
  let cursor: string | null = null;
  do {
    const query = { limit: '100', who: userId, ...(cursor !== null && { cursor }) };
    const found: Awaited<ReturnType<typeof answerRecord>> = await answerRecord(deps, username, query);
    if (cursor === null) {
      const { user, counts } = found;
      yield line({ type: 'account', exported_at: toTime(deps.clock.now()), user, counts });
    }
    for (const { id } of found.etches) {
      // This reads the etch once: if it was retracted since the page was read, the line is its tombstone.
      yield line({ type: 'etch', ...(await deps.etches.verifier.shown(id)) });
      count++;
    }
    cursor = found.page.next_cursor;
  } while (cursor !== null);
  yield line({ type: 'end', etches: count });
}
