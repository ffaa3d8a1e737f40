import { Readable } from 'node:stream';
import type { Etch } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { toTime } from '../../../db/clock.ts';
import { answerRecord } from '../../routes/records.ts';
import type { PageParts } from '../parts.ts';
import { callerOf } from '../session.ts';

const ON_A_PAGE = '100';

export function mountExport(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/account/export', async (request, reply) => {
    const { username } = callerOf(request).author;
    return reply
      .header('Content-Type', 'application/x-ndjson; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="record-${username}.ndjson"`)
      .header('Cache-Control', 'no-store')
      .send(Readable.from(lines(parts, username)));
  });
}

/** A file without the last line is incomplete. */
async function* lines({ facts, etches: { verifier } }: PageParts, username: string): AsyncGenerator<string> {
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  let count = 0;
  let cursor: string | undefined;
  do {
    const query = { limit: ON_A_PAGE, ...(cursor !== undefined && { cursor }) };
    const found: {
      user: object;
      counts: object;
      etches: readonly Etch[];
      page: { next_cursor: string | null };
    } = await answerRecord(facts, username, query);
    if (cursor === undefined) {
      const { user, counts } = found;
      yield line({ type: 'account', exported_at: toTime(facts.clock.now()), user, counts });
    }
    for (const { id } of found.etches) {
      // This reads the etch once: if it was retracted meanwhile, the line is its tombstone.
      yield line({ type: 'etch', ...(await verifier.shown(id)) });
      count++;
    }
    cursor = found.page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  yield line({ type: 'end', etches: count });
}
