import type { CreatedChallenge } from '@svc/contract';
import sql from 'sql-template-tag';
import type { Reply } from '../../../../testing/clients/client.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import type { TestService } from '../../../../testing/service/service.ts';

export const MINUTE = 60_000;
export const NOON = Date.parse('2026-06-01T12:00:00.000Z');

export const at = (milliseconds: number): string => new Date(milliseconds).toISOString();
export const UNKNOWN = '94e1d7a3-0b6c-4c2f-87f5-1a3e5d9b0c68';

const QUESTION = 'On which day does the lighthouse shine again?';

export const openChallenge = (
  service: TestService,
  agent: TestAgent,
  fields: Record<string, unknown> = {},
): Promise<CreatedChallenge> =>
  service.ask(agent, { question: QUESTION, category_id: 'culture', ...fields }) as Promise<CreatedChallenge>;

export const challengeBody = (service: TestService, fields: Record<string, unknown> = {}) => ({
  question: QUESTION,
  category_id: 'culture',
  reveal_at: service.at(60 * MINUTE),
  ...fields,
});

export function enter(
  service: TestService,
  agent: TestAgent,
  challengeId: string,
  fields: Record<string, unknown> = {},
  idempotencyKey?: string,
): Promise<Reply> {
  return service.post(
    '/api/v1/etches',
    { content: 'On a Tuesday.', category_id: 'other', mode: 'delayed', challenge_id: challengeId, ...fields },
    { key: agent.key, headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey } },
  );
}

export const remaining = async (service: TestService, agent: TestAgent): Promise<number> =>
  (await service.get('/api/v1/me/limits', agent.key)).body.etches.remaining;

export async function counted(service: TestService, id: string) {
  const [row] = await service.db.query<{ kept: number; counted: number; accounts: number }>(sql`
    select t.etch_count as kept, count(e.id) as counted, count(distinct e.user_id) as accounts
    from challenge_tally t left join etch e on e.challenge_id = t.id where t.id = ${id} group by t.id`);
  return row!;
}
