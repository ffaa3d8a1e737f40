// Runs on both databases.
import { randomUUID } from 'node:crypto';
import { scoreAccount, scoreChallenge } from '@svc/protocol/conventions';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { listResolutions } from '../../../src/records/scores/resolution-store.ts';
import { listOwn } from '../../../src/records/scores/store.ts';
import { plansOf } from '../../../../../testing/database/plans.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { plant, plantApart, planted } from './plant.ts';

const service = useService();
const known = planted(8, 25);
plantApart(known);
const data = { etches: [...known.records.values()].flat(), challenges: known.challenges };
const get = (path: string) => service.get(`/api/v1${path}`);
/** Only the etch contains the reasons below a forecast. */
const asAnswered = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value, (key, field) => {
      if (key === 'kind' || key === 'reasoning') return undefined;
      return key === 'forecast' && field !== null ? { outcomes: [], quantiles: [], ...field } : field;
    }),
  );

beforeAll(() => plant(service.db, service.keyring, known));

describe('GET /users/{username}/score', () => {
  test.each(['account_0', 'account_3', 'account_7'])(
    'computes the score of %s from its public record',
    async (name) => {
      const { author } = known.records.get(name)![0]!;
      const { forecasts, ...mine } = asAnswered(scoreAccount(author, data));
      const { status, body } = await get(`/users/${name}/score`);
      expect(status).toBe(200);
      const { forecasts: shown, page, ...score } = body;
      expect(score).toEqual(mine);
      expect(score.counts.scored).toBeGreaterThan(5);
      expect(page.total).toBe(score.counts.forecasts);
      expect(shown).toEqual(forecasts.reverse().slice(0, 30));
    },
  );

  test('returns pages, and 404 for an unknown account', async () => {
    const name = 'account_1';
    const all = scoreAccount(known.records.get(name)![0]!.author, data).forecasts.map((one) => one.etch_id);
    // A pending etch has no attestation yet and counts as the latest.
    expect(all.length).toBeLessThanOrEqual(30);
    const second = await get(`/users/${name}/score?page=2`);
    expect(second.body).toMatchObject({ forecasts: [], page: { number: 2, pages: 1, total: all.length } });
    expect((await get(`/users/${name}/score?page=0`)).status).toBe(400);
    expect((await get('/users/nobody_here/score')).status).toBe(404);
    expect((await get('/users/%00/score')).status).toBe(404);
  });
});

describe('GET /challenges/{id}/score', () => {
  test('computes resolution and standings from the public records', async () => {
    const states = new Set<string>();
    let takedowns = 0;
    for (const { id } of known.challenges.slice(0, 10)) {
      const { standings, resolution, ...mine } = asAnswered(scoreChallenge(id, data));
      const { status, body } = await get(`/challenges/${id}/score`);
      expect(status).toBe(200);
      const { standings: shown, page, resolution: found, ...score } = body;
      expect(score).toEqual(mine);
      expect(shown).toEqual(standings);
      expect(found).toEqual({
        ...resolution,
        corrections_total: resolution.corrections.length,
        taken_down_total: resolution.taken_down.length,
      });
      takedowns += found.taken_down_total;
      expect(page).toEqual({ number: 1, pages: 1, total: standings.length });
      states.add(found.state);
    }
    expect([...states].sort()).toEqual(['resolved', 'unresolved', 'void']);
    expect(takedowns).toBeGreaterThan(0);
  });

  test('has nothing to score for a question that requires a text, and returns 404 for an unknown challenge', async () => {
    const agent = await service.registerAgent();
    const asked = await service.ask(agent, { question: 'What comes next?' });
    const { body: score } = await get(`/challenges/${asked.id}/score`);
    expect(score.resolution).toMatchObject({ state: 'unresolved', reason: 'the question asks for a text' });
    expect(score.standings).toEqual([]);
    expect((await get('/challenges/none/score')).status).toBe(404);
  });
});

test('reads only forecasts, resolutions and retractions', async () => {
  const [one] = [...known.records.values()].map(([etch]) => etch!.author.user_id);
  await service.db.query(sql`
    insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, content)
    select gen_random_uuid(), ${one}, 'text ' || n, 'instant', 'revealed', '', '', 'ai', now(), 'It rains.'
    from generate_series(1, 5000) n`);
  await service.db.query(sql`analyze etch`);
  const plans = await plansOf(service.db, async (watched) => {
    await listOwn(watched, one!, { now: new Date().toISOString(), most: 100_000 });
    const wanted = { resolvers: [one!], targets: [known.challenges[0]!.id], each: 1_000 };
    await listResolutions(watched, wanted, 100_000);
  });
  expect(plans).toEqual([
    expect.stringMatching(/etch_judged .*[^]*etch_judged_spaced/),
    expect.stringMatching(/etch_resolution .*\n +Index Cond: .*split_part.* = t\.target/),
  ]);
});

test('lists the first resolutions of each question in order of attestation', async () => {
  const [resolver, ...targets] = [randomUUID(), randomUUID(), randomUUID()];
  for (const target of targets)
    for (const created of ['2026-02-03', '2026-02-01', '2026-02-02'])
      await service.db.query(sql`
        insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, content)
        values (gen_random_uuid(), ${resolver}, gen_random_uuid()::text, 'instant', 'revealed', '', ${`svc-resolution:v1 ${target}`}, 'ai', ${created}, '')`);
  const ids = await listResolutions(service.db, { resolvers: [resolver], targets, each: 2 }, 100);
  const rows = await service.db.query<{ day: string; of: string }>(sql`
    select to_char(created_at, 'DD') as day, split_part(description, ' ', 2) as of from etch
    where id = any(${ids}::uuid[]) order by of, day`);
  expect(rows).toEqual([...targets].sort().flatMap((of) => ['01', '02'].map((day) => ({ day, of }))));
});
