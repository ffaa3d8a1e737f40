import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect } from 'vitest';
import type { TestService } from '../../../../testing/service/service.ts';

/** The first creation waits for a lock, so that the others share the next commit. */
export async function createTogether(
  service: TestService,
  { key, userId }: { key: string; userId: string },
  texts: readonly string[],
): Promise<{ status: number; body: any }[]> {
  const post = async (content: string) => {
    const answer = await fetch(`${service.baseUrl}/api/v1/etches`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ content, description: 'd', category_id: 'science', mode: 'instant' }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const held = await service.db.tx(async (tx) => {
    await tx.query(sql`select 1 from allowance where user_id = ${userId} for update`);
    const first = post('first');
    await sleep(200);
    const batch = texts.map(post);
    await sleep(500);
    return { first, batch };
  });
  expect((await held.first).status).toBe(201);
  return Promise.all(held.batch);
}
