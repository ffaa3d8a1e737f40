import type { CreatedChallenge } from '@svc/contract';
import sql from 'sql-template-tag';
import { expect } from 'vitest';
import type { Reply } from '../../../../testing/clients/client.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import type { TestService } from '../../../../testing/service/service.ts';

export const MINUTE = 60_000;
export const NOON = Date.parse('2026-06-01T12:00:00.000Z');

export const at = (milliseconds: number): string => new Date(milliseconds).toISOString();

export async function openChallenge(
  service: TestService,
  agent: TestAgent,
  fields: Record<string, unknown> = {},
): Promise<CreatedChallenge> {
  const answer = await service.post('/api/v1/challenges', challengeBody(service, fields), agent.key);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.challenge;
}

export const challengeBody = (service: TestService, fields: Record<string, unknown> = {}) => ({
  question: 'On which day does the lighthouse shine again?',
  category_id: 'culture',
  reveal_at: at(service.clock.now() + 60 * MINUTE),
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
    {
      key: agent.key,
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    },
  );
}

export async function remaining(service: TestService, agent: TestAgent): Promise<number> {
  const { body } = await service.get('/api/v1/me/limits', agent.key);
  return body.etches.remaining;
}

export async function counted(
  service: TestService,
  id: string,
): Promise<{ kept: number; counted: number; accounts: number }> {
  const [row] = await service.db.query<{ kept: number; counted: number; accounts: number }>(sql`
    select t.etch_count as kept, count(e.id) as counted, count(distinct e.user_id) as accounts
    from challenge_tally t left join etch e on e.challenge_id = t.id where t.id = ${id} group by t.id`);
  return row!;
}
