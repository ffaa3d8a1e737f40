import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshHome, type Ran, svc } from '../packages/cli/test/support/svc.ts';
import { allAnchored } from '../testing/ledger/audit.ts';
import type { TestAgent } from '../testing/system/agents.ts';
import type { Relayer } from '../testing/chain/anvil.ts';
import { Load, type Wanted } from '../testing/system/load.ts';
import { startLyingService, type LyingService } from '../testing/system/lying-service.ts';
import { attestAgain, tampered } from '../testing/ledger/tampering.ts';
import { eventually } from '../testing/wait.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';

// What stands on the chain and what the service shows are compared by `svc audit`; then rows are changed behind the
// service's back, answers on their way, and the chain by others, and it must say so.
const ground = useGround();
let world: World;
let relayer: Relayer;
let ada: TestAgent;
let ben: TestAgent;
let wanted: Wanted[];

const home = freshHome();
/** Of a service whose published values the reader takes for right: what it then answers is still to be proven. */
const audit = (args: string[], url = world.url): Promise<Ran> =>
  svc(['audit', ...args, '--base-url', url, '--trust', url], { home });
const asJson = (ran: Ran): any => JSON.parse(ran.out);
const of = (agent: TestAgent): Wanted[] => wanted.filter((each) => each.agent === agent);

beforeAll(async () => {
  relayer = await ground.chain.newRelayer();
  world = ground.keep(await postgresWorld({ ...ground, relayer }));
  await world.start();
  [ada, ben] = (await world.agents(2)) as [TestAgent, TestAgent];
  const load = new Load({ client: world.client, agents: [ada, ben], delayed: 0 });
  wanted = load.wanted;
  const later = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString();
  for (const agent of [ada, ben, ada]) {
    await Promise.all([1, 2, 3].map(() => load.etch({}, agent)));
    await load.etch({ mode: 'delayed', reveal_at: later }, agent);
    await allAnchored(world, wanted);
  }
  await load.retract(of(ada)[0]!);
  await allAnchored(world, wanted);
});

/** A service before this one that changes what it answers. */
const lying = async (lie: LyingService['lie'], url = world.url): Promise<LyingService> =>
  ground.keep(await startLyingService(url, lie));

test('a complete record passes, sealed and retracted etches counted', async () => {
  const ran = await audit([ada.username]);
  expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
  expect(ran.out).toContain(`${ada.username}: 8 of 8 leaves, 2 sealed, 1 retracted`);
  expect(ran.out).toContain('PASS: nothing is left out, and nothing was changed.');
  const unpinned = await svc(['audit', ada.username, '--base-url', world.url], { home });
  expect(unpinned.status).toBe(2);
  expect(unpinned.out).not.toContain('PASS');
  expect(unpinned.out).toMatch(/relayer 0x[0-9a-f]{40} is what the service says; pin it with --relayer/);
  expect(unpinned.out).toMatch(
    /\nWAIT: what was checked agrees, and it holds only if 0x[0-9a-f]{40} on chain \d+ is.*\n$/,
  );
  expect(existsSync(join(home, 'svc', 'trust.json')), 'an audit writes no pins').toBe(false);
  const told = asJson(await audit([ben.username, '--json', '--rpc', ground.chain.rpcUrl]));
  expect(told).toMatchObject({ result: 'pass', accounts: [{ counts: { leaves: 4, shown: 4, sealed: 1 } }] });
  expect(told.trees.rebuilt).toBe(told.trees.attested);
});

test('the whole service passes', async () => {
  const told = asJson(await audit(['--all', '--json']));
  expect(told).toMatchObject({
    result: 'pass',
    accounts_named: 2,
    accounts_same: 2,
    accounts: [],
    unread: [],
  });
  expect(told.trees.leaves).toBe(wanted.length + 1); // and one tombstone
});

test('what was etched but not anchored is told apart', async () => {
  const pinned = await audit([ada.username, '--relayer', `0x${'11'.repeat(20)}`, '--json']);
  expect(pinned.status, 'by nobody trusted').toBe(1);
  expect(new Set(asJson(pinned).accounts[0].faults.map(({ what }: any) => what))).toEqual(
    new Set(['not attested']),
  );
});

describe('rows changed behind the service', () => {
  test('a deleted etch', async () => {
    const { id } = of(ada)[1]!;
    await tampered(
      world,
      async (run) => {
        await run(sql`delete from batch_leaf where etch_id = ${id}`);
        await run(sql`delete from etch where id = ${id}`);
      },
      async () => {
        const [ran, all] = await Promise.all([audit([ada.username]), audit(['--all'])]);
        expect(ran, ran.out + ran.err).toMatchObject({ status: 1 });
        expect(ran.out).toMatch(
          /FAIL {2}tree [0-9a-f]{64}: \d leaves are attested, \d were given: 1 missing/,
        );
        expect(ran.out).toMatch(/\d of \d leaves in rebuilt trees only, /);
        expect(all.out).toMatch(/\d leaves in rebuilt trees, /);
        expect(all.out).toContain('accounts that no rebuilt tree of version 2 names are not covered');
        expect(all.status).toBe(1);
      },
    );
  });

  test('an altered hash, and altered words', async () => {
    const { id } = of(ada)[2]!;
    await tampered(
      world,
      async (run) => void (await run(sql`update etch set hash = sha256(hash) where id = ${id}`)),
      async () => {
        const told = asJson(await audit([ada.username, '--json']));
        expect(told.result).toBe('fail');
        expect(told.accounts[0].faults).toContainEqual(
          expect.objectContaining({ what: 'altered', etch_id: id }),
        );
        expect(told.trees.broken).toHaveLength(1);
      },
    );
    await tampered(
      world,
      async (run) => void (await run(sql`update etch set content = content || '!' where id = ${id}`)),
      async () => {
        const [ran, whole] = await Promise.all([audit([ada.username]), audit(['--all', '--json'])]);
        expect(ran.status).toBe(1);
        expect(ran.out).toContain(`altered: etch ${id}`);
        const all = asJson(whole);
        expect(all).toMatchObject({ result: 'fail', accounts_same: 1 });
        expect(all.accounts).toMatchObject([
          { username: ada.username, faults: [{ what: 'altered', etch_id: id }] },
        ]);
      },
    );
  });

  test('a record that leans on an attestation no trusted relayer made', async () => {
    const { id } = of(ada)[1]!;
    await tampered(
      world,
      async (run) =>
        void (await run(
          sql`update batch set uid = sha256(uid) where id in (select batch_id from batch_leaf where etch_id = ${id})`,
        )),
      async () => {
        const [ran, whole] = await Promise.all([
          audit([ada.username, '--json']),
          audit(['--all', '--json', '--state', join(home, 'uid.json')]),
        ]);
        for (const told of [asJson(ran), asJson(whole)]) {
          expect(told.result).toBe('fail');
          const hers = told.accounts.find(({ user_id }: any) => user_id === ada.userId);
          expect(hers.faults).toContainEqual(expect.objectContaining({ what: 'not attested', etch_id: id }));
        }
      },
    );
  });

  test('leaves swapped between accounts', async () => {
    const [mine, hers] = [of(ada)[3]!, of(ben)[0]!];
    await tampered(
      world,
      async (run) => {
        await run(sql`update etch set user_id = ${ben.userId} where id = ${mine.id}`);
        await run(sql`update etch set user_id = ${ada.userId} where id = ${hers.id}`);
      },
      async () => {
        const [ran, all] = await Promise.all([audit([ada.username, '--json']), audit(['--all'])]);
        const told = asJson(ran);
        expect(told).toMatchObject({ result: 'fail' });
        expect(told.accounts[0].faults).toContainEqual(
          expect.objectContaining({ what: 'altered', etch_id: hers.id }),
        );
        expect(told.trees.broken).toHaveLength(2);
        expect(all.status).toBe(1);
      },
    );
  });

  test('a retraction undone', async () => {
    const { id } = of(ada)[0]!;
    await tampered(
      world,
      async (run) => {
        await run(sql`delete from batch_leaf where etch_id = ${id} and kind = 1`);
        await run(
          sql`update etch set status = 'revealed', retracted_at = null, content = 'x', salt = sha256('') where id = ${id}`,
        );
      },
      async () => expect((await audit([ada.username])).status).toBe(1),
    );
  });

  test('a tree withheld is unproven', async () => {
    await tampered(
      world,
      async (run) =>
        void (await run(sql`delete from batch_leaf where batch_id in (select id from batch where kind = 1)`)),
      async () => {
        const told = asJson(await audit([ben.username, '--json']));
        expect(told.result, 'the tombstones’ leaves are gone').toBe('fail');
      },
    );
    const liar = await lying((path) =>
      path.includes('/batches/') && path.endsWith('kind=1')
        ? { error: { code: 'not_found', message: 'no' } }
        : undefined,
    );
    const [ran, all] = await Promise.all([
      audit([ben.username], liar.url),
      audit(['--all', '--state', join(home, 'withheld.json')], liar.url),
    ]);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 2 });
    expect(ran.out).toMatch(/WAIT {2}tree of tombstones [0-9a-f]{64}: unproven/);
    expect(all).toMatchObject({ status: 2 });
  });
});

describe.concurrent('answers changed on their way', () => {
  test('an etch left out of the record is named by its hash', async () => {
    const { id } = of(ben)[1]!;
    const liar = await lying((path, body) =>
      path.includes('/users/')
        ? { ...body, etches: body.etches.filter((etch: { id: string }) => etch.id !== id) }
        : undefined,
    );
    const { hash } = (await world.client.call('GET', `/api/v1/etches/${id}`)).body.etch;
    const [ran, whole] = await Promise.all([
      audit([ben.username, '--json'], liar.url),
      audit(['--all', '--json', '--state', join(home, 'left-out.json')], liar.url),
    ]);
    const [told, all] = [asJson(ran), asJson(whole)];
    expect(told.accounts[0]).toMatchObject({
      counts: { leaves: 4, shown: 3 },
      faults: [{ what: 'missing', hash }],
    });
    expect(all.accounts).toMatchObject([{ username: ben.username, faults: [{ what: 'missing', hash }] }]);
  });

  test('a retracted etch shown as if it were not', async () => {
    const { id } = of(ada)[0]!;
    const liar = await lying((path, body) => {
      if (!path.includes('/users/')) return undefined;
      for (const etch of body.etches)
        if (etch.id === id) {
          etch.status = 'revealed';
          for (const name of ['root', 'proof', 'tree_version']) etch.chain[`revocation_${name}`] = null;
        }
      return body;
    });
    const told = asJson(await audit([ada.username, '--json'], liar.url));
    expect(told.accounts[0].faults).toMatchObject([{ what: 'not retracted', etch_id: id }]);
  });

  test('an account that is hidden altogether', async () => {
    const liar = await lying((path, body) => {
      const isHers = path.includes(ben.username) || body.etch?.author.user_id === ben.userId;
      return isHers ? { error: { code: 'not_found', message: 'no' } } : undefined;
    });
    const ran = await audit(['--all', '--state', join(home, 'hidden.json')], liar.url);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 1 });
    expect(ran.out).toContain(`${ben.userId}: missing`);
  });

  test('an audit that was cut off goes on where it was', async () => {
    const state = join(home, 'cut.json');
    const liar = await lying((path) => (path.includes('/users/') ? null : undefined));
    const cut = new AbortController();
    const running = svc(['audit', '--all', '--state', state, '--base-url', liar.url], {
      home,
      signal: cut.signal,
    });
    await eventually('records are asked for', () => liar.asked.some((path) => path.includes('/users/')));
    cut.abort();
    expect((await running).status).toBeNull();
    expect(existsSync(state)).toBe(true);
    liar.lie = () => undefined;
    liar.asked.length = 0;
    const ran = await audit(['--all', '--state', state], liar.url);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
    expect(ran.err).toContain('going on with the audit');
    expect(liar.asked.filter((path) => path.includes('/batches/'))).toEqual([]);
    expect(existsSync(state)).toBe(false);
  });
});

describe('others on the chain', () => {
  test('a stranger’s attestation is ignored, and told', async () => {
    const before = asJson(await audit([ada.username, '--json'])).strangers;
    await attestAgain(world, ground.chain, await ground.chain.newRelayer());
    const ran = await audit([ada.username]);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
    expect(ran.out).toMatch(/\d attestations? under the schema by strangers: ignored/);
    expect(asJson(await audit([ada.username, '--json'])).strangers).toBe(before + 1);
  });

  test('a tree attested twice counts once', async () => {
    await attestAgain(world, ground.chain, relayer);
    const ran = await audit([ada.username]);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
    expect(ran.out).toContain('8 of 8 leaves');
    expect(ran.out).toContain('1 tree attested more than once');
  });
});
