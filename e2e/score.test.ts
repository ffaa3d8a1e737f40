// Runs in the soak only.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { freshHome, svc, type Ran } from '../testing/clients/svc.ts';
import type { TestAgent } from '../testing/clients/agents.ts';
import type { Json } from '../testing/json.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { rounds } from '../testing/rounds.ts';
import { svcAdmin } from '../testing/system/svc-admin.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';
import { eventually } from '../testing/wait.ts';
import { ends } from '../testing/clients/ends.ts';

const [ACCOUNTS, EACH] = [rounds(3, 40), rounds(8, 50)];
const ground = useGround();
let world: World;
let agents: TestAgent[];
const home = freshHome();
const run = (...args: string[]): Promise<Ran> =>
  svc(['score', ...args, '--trust', world.url], { home, env: { SVC_BASE_URL: world.url } });
const score = (...args: string[]): Promise<Ran> => run(...args, '--json');
const asJson = (ran: Ran): Json => JSON.parse(ran.out);

const etch = async ({ key }: TestAgent, content: string, description: string): Promise<string> => {
  const { status, body } = await world.client.call('POST', '/api/v1/etches', {
    key,
    body: { content, description, category_id: 'science', mode: 'instant' },
  });
  expect(status).toBe(201);
  return body.etch.id;
};

const settled = () =>
  eventually('everything is anchored', () =>
    world.withDb(async (db) => {
      const [row] = await db.query<{ open: number }>(
        sql`select (select count(*) from anchor_job) + (select count(*) from batch where anchored_at is null) as open`,
      );
      return row!.open === 0;
    }),
  );

/** Outcomes match the stated probabilities in tenths, except the second of each. */
const said = (at: number): string => ((at % 9) + 1) / 10 + '';
const outcome = (at: number): string => (at % 2 === 1 ? 'no' : 'yes');

beforeAll(async () => {
  world = ground.keep(await postgresWorld(ground));
  await world.start();
  agents = await world.agents(ACCOUNTS);
  const made = await Promise.all(
    agents.map((agent) =>
      Promise.all(
        Array.from({ length: EACH }, (_, at) => etch(agent, `svc-forecast:v1 yes=${said(at)}`, 'Planted')),
      ),
    ),
  );
  await settled();
  await Promise.all(
    agents.flatMap((agent, whose) =>
      made[whose]!.map((id, at) =>
        etch(agent, `svc-resolution:v1 ${id} ${outcome(at)} my own eyes`, `svc-resolution:v1 ${id}`),
      ),
    ),
  );
  await settled();
  for (const id of made[1]!.filter((_, at) => outcome(at) === 'no')) {
    const answer = await world.client.call('POST', `/api/v1/etches/${id}/retract`, { key: agents[1]!.key });
    expect(answer.status).toBe(200);
  }
  await settled();
}, 900_000);

test('scores an archive equally by svc and by a script in another language, to 1e-12', async () => {
  const file = join(newFolder('archive'), 'public.tar.gz');
  expect(await svcAdmin(world.settings, 'export', file, '--public')).toMatchObject({ status: 0 });
  const { username } = agents[1]!;
  const ran = await ends(score(file, username), 0);
  const live = (await world.client.call('GET', `/api/v1/users/${username}/score`)).body;
  expect(asJson(ran).score.counts).toEqual(live.counts);
  expect(asJson(ran).score.scores).toEqual(live.scores);
  if (spawnSync('python3', ['--version']).status !== 0) return;
  const script = join(import.meta.dirname, '../docs/score.py');
  const theirs = JSON.parse(
    execFileSync('python3', [script, file], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  );
  for (const { username: name } of agents) {
    const { counts, scores } = (await world.client.call('GET', `/api/v1/users/${name}/score`)).body;
    expectNear({ counts, scores }, theirs.accounts[name], name);
  }
});

function expectNear(mine: Json, theirs: Json, path: string): void {
  if (typeof mine === 'number' && typeof theirs === 'number')
    return expect(Math.abs(mine - theirs), path).toBeLessThanOrEqual(1e-12);
  if (typeof mine !== 'object' || mine === null) return expect(mine, path).toEqual(theirs);
  expect(Object.keys(mine).sort(), path).toEqual(Object.keys(theirs).sort());
  for (const key of Object.keys(mine)) expectNear(mine[key], theirs[key], `${path}.${key}`);
}
