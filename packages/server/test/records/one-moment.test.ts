import { expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

const WRITES = 60;
const service = useService();

async function whileWriting(writing: Promise<unknown>, path: string, check: (body: any) => void) {
  let done = false;
  const ended = writing.finally(() => (done = true));
  ended.catch(() => undefined);
  do {
    const { status, body } = await service.call('GET', path);
    expect(status).toBe(200);
    check(body);
  } while (!done);
  await ended;
  check((await service.call('GET', path)).body);
}

const statuses = (etches: { status: string }[], status: string) =>
  etches.filter((etch) => etch.status === status).length;

test("a record's counts match its list while etches are created and retracted", async () => {
  const author = await service.registerAgent();
  const write = async () => {
    for (let made = 0; made < WRITES; made++) {
      const { id } = await service.etch(author, { mode: 'instant', reveal_at: null });
      if (made % 3 === 0)
        await service.call('POST', `/api/v1/etches/${id}/retract`, undefined, { key: author.key });
    }
  };
  await whileWriting(write(), `/api/v1/users/${author.username}/etches?limit=100`, ({ counts, etches }) => {
    expect(counts.total).toBe(etches.length);
    expect(counts.retracted).toBe(statuses(etches, 'retracted'));
    expect(counts.revealed).toBe(statuses(etches, 'revealed'));
  });
  await whileWriting(write(), `/api/v1/search?sort=newest&limit=100`, ({ page, etches }) => {
    expect(Math.min(100, page.total)).toBe(etches.length);
  });
});

test("a challenge's count matches its list while others enter and retract", async () => {
  const agents = await Promise.all(Array.from({ length: 24 }, () => service.registerAgent()));
  const { challenge } = (
    await service.call(
      'POST',
      '/api/v1/challenges',
      {
        question: 'Who enters while it is read?',
        category_id: 'science',
        reveal_at: new Date(service.clock.now() + 3_600_000).toISOString(),
      },
      { key: agents[0]!.key },
    )
  ).body;
  const enter = async () => {
    for (const [index, agent] of agents.entries()) {
      const entry = {
        mode: 'delayed',
        category_id: 'science',
        challenge_id: challenge.id,
        content: `${index}`,
      };
      const { body } = await service.call('POST', '/api/v1/etches', entry, { key: agent.key });
      if (index % 3 === 0)
        await service.call('POST', `/api/v1/etches/${body.etch.id}/retract`, undefined, { key: agent.key });
    }
  };
  await whileWriting(enter(), `/api/v1/challenges/${challenge.id}?limit=100`, ({ counts, etches }) => {
    expect(counts.etches).toBe(etches.length);
    expect(counts.retracted).toBe(statuses(etches, 'retracted'));
    expect(counts.sealed).toBe(statuses(etches, 'sealed'));
  });
});
