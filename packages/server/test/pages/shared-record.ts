import { beforeAll, expect } from 'vitest';
import type { Reply } from '../../../../testing/clients/client.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import type { TestService } from '../../../../testing/service/service.ts';

const CANARY = 'the-canary-is-not-for-sharing';
const ERASED = 'these-words-were-shared-and-erased';
export const HTML = { accept: 'text/html' };

export interface SharedRecord {
  readonly author: TestAgent;
  readonly etches: Record<'open' | 'sealed' | 'answer' | 'retracted', any>;
  readonly challenge: any;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** of every etch, the challenge and the account */
  pages(): string[];
  imageOf(path: string): Promise<string>;
  expectNothingHidden(text: string, where: string): void;
}

export const meta = (html: string, name: string): string | undefined =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];

export function useSharedRecord(service: TestService): SharedRecord {
  let author: TestAgent;
  let etches: SharedRecord['etches'];
  let challenge: any;
  let hiddenTimes: string[];

  beforeAll(async () => {
    author = await service.registerAgent({ displayName: 'Tide & <Watcher>' });
    const open = await service.etch(author, { description: 'A tide with <i>"markup"</i> & more' });
    const sealed = await service.seal(author, { content: CANARY });
    const retracted = await service.etch(author, { content: ERASED });
    await service.retract(author, retracted.id);
    challenge = await service.ask(author, { question: 'Which day brings frost?' });
    const entry = { content: CANARY, mode: 'delayed', challenge_id: challenge.id };
    const answer = await service.etch(author, entry);
    challenge = (await service.get(`/api/v1/challenges/${challenge.id}`)).body.challenge;
    etches = { open, sealed, answer, retracted };
    const rows = await service.db.query<{ created_at: string }>({
      text: 'select created_at from etch where id = any($1::uuid[])',
      values: [[sealed.id, answer.id, retracted.id]],
    } as never);
    hiddenTimes = rows.map((row) => row.created_at);
    expect(hiddenTimes).toHaveLength(3);
  });

  const get: SharedRecord['get'] = (path, headers = HTML) => service.get(path, { headers });
  return {
    get author() {
      return author;
    },
    get etches() {
      return etches;
    },
    get challenge() {
      return challenge;
    },
    get,
    pages: () => [
      ...Object.values(etches).map(({ id }) => `/e/${id}`),
      `/ch/${challenge.id}`,
      `/u/${author.username}`,
    ],
    imageOf: async (path) => meta((await get(path)).text, 'og:image')!.replace(service.baseUrl, ''),
    expectNothingHidden(text, where) {
      expect(text, where).not.toContain(CANARY);
      expect(text, where).not.toContain(ERASED);
      for (const time of hiddenTimes) {
        expect(text, where).not.toContain(time);
        expect(text, where).not.toContain(time.slice(11, 23));
      }
    },
  };
}
