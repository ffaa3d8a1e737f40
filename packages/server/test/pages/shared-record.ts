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
    const reveal = service.at(3_600_000);
    const open = await service.etch(author, { description: 'A tide with <i>"markup"</i> & more' });
    const sealed = await service.etch(author, { content: CANARY, mode: 'delayed', reveal_at: reveal });
    const retracted = await service.etch(author, { content: ERASED });
    await service.retract(author, retracted.id);
    const asked = { question: 'Which day brings frost?', category_id: 'science', reveal_at: reveal };
    challenge = (await service.post('/api/v1/challenges', asked, author.key)).body.challenge;
    const answer = await service.etch(author, {
      content: CANARY,
      mode: 'delayed',
      challenge_id: challenge.id,
    });
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
