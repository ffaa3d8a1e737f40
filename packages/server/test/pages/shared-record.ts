import sql from 'sql-template-tag';
import { beforeAll, expect } from 'vitest';
import type { Reply } from '../../../../testing/clients/client.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import type { TestService } from '../../../../testing/service/service.ts';

const CANARY = 'the-canary-is-not-for-sharing';
const ERASED = 'these-words-were-shared-and-erased';
export const HTML = { accept: 'text/html' };

export const meta = (html: string, name: string): string | undefined =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];

export function useSharedRecord(service: TestService) {
  let hiddenTimes: string[];
  const made = {} as {
    author: TestAgent;
    etches: Record<'open' | 'sealed' | 'answer' | 'retracted', any>;
    challenge: any;
  };

  beforeAll(async () => {
    const author = await service.registerAgent({ displayName: 'Tide & <Watcher>' });
    const open = await service.etch(author, { description: 'A tide with <i>"markup"</i> & more' });
    const sealed = await service.seal(author, { content: CANARY });
    const retracted = await service.etch(author, { content: ERASED });
    await service.retract(author, retracted.id);
    const { id } = await service.ask(author, { question: 'Which day brings frost?' });
    const answer = await service.etch(author, { content: CANARY, mode: 'delayed', challenge_id: id });
    const { challenge } = (await service.get(`/api/v1/challenges/${id}`)).body;
    Object.assign(made, { author, challenge, etches: { open, sealed, answer, retracted } });
    const ids = [sealed.id, answer.id, retracted.id];
    const rows = await service.db.query<{ created_at: string }>(
      sql`select created_at from etch where id = any(${ids}::uuid[])`,
    );
    hiddenTimes = rows.map((row) => row.created_at);
    expect(hiddenTimes).toHaveLength(3);
  });

  const get = (path: string, headers: Record<string, string> = HTML): Promise<Reply> =>
    service.get(path, { headers });
  return Object.assign(made, {
    get,
    /** of every etch, the challenge and the account */
    pages: () => [
      ...Object.values(made.etches).map(({ id }) => `/e/${id}`),
      `/ch/${made.challenge.id}`,
      `/u/${made.author.username}`,
    ],
    imageOf: async (path: string) => meta((await get(path)).text, 'og:image')!.replace(service.baseUrl, ''),
    expectNothingHidden(text: string, where: string) {
      const times = hiddenTimes.flatMap((time) => [time, time.slice(11, 23)]);
      for (const hidden of [CANARY, ERASED, ...times]) expect(text, where).not.toContain(hidden);
    },
  });
}
