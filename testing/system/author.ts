import type { TestAgent } from '../clients/agents.ts';
import type { Json } from '../json.ts';
import { eventually } from '../wait.ts';
import type { World } from './world.ts';

export interface Writer {
  call(method: string, path: string, body?: unknown): Promise<Json>;
  etch(fields?: object): Promise<Json>;
  /** Returns the new state. */
  anchored(...ids: string[]): Promise<Json[]>;
}

export interface Author extends Writer {
  readonly agent: TestAgent;
}

export async function newAuthor(world: World): Promise<Author> {
  const [agent] = (await world.agents(1)) as [TestAgent];
  return { agent, ...writerWith(world, agent.key) };
}

export function writerWith({ client }: World, key: string): Writer {
  const writer: Writer = {
    async call(method, path, body) {
      const reply = await client.call(method, path, { key, body });
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
      return reply.body;
    },
    async etch(fields = {}) {
      const body = {
        content: 'The tide turns.',
        description: 'About the tide',
        category_id: 'science',
        mode: 'instant',
        ...fields,
      };
      return (await writer.call('POST', '/api/v1/etches', body)).etch;
    },
    anchored: (...ids) =>
      eventually('all is anchored', async () => {
        const etches: Json[] = await Promise.all(
          ids.map(async (id) => (await writer.call('GET', `/api/v1/etches/${id}`)).etch),
        );
        const done = ({ chain: { status, revocation_status: revoked } }: Json): boolean =>
          status === 'anchored' && (revoked === 'none' || revoked === 'revoked');
        return etches.every(done) && etches;
      }),
  };
  return writer;
}
