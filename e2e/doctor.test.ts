import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeSpace } from '../packages/server/src/admin/doctor/storage.ts';
import { examine } from '../packages/server/src/admin/doctor/doctor.ts';
import { bounded, type Check, ok } from '../packages/server/src/admin/doctor/finding.ts';
import { readConfig } from '../packages/server/src/settings/read-config.ts';
import { startChain } from '../testing/chain/anvil.ts';
import { newDatabase } from '../testing/database/postgres.ts';
import { useIssuer } from '../testing/issuer/standalone-issuer.ts';
import { anchorsOf, read, trackedFiles } from '../testing/repository.ts';
import { folderWith, newFolder } from '../testing/machine/folder.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { type Nginx, startNginx } from '../testing/machine/nginx.ts';
import { startPgbouncer } from '../testing/machine/pgbouncer.ts';
import { startServer } from '../testing/machine/server.ts';
import { clockShift } from '../testing/system/clock-shift.ts';
import { Load } from '../testing/system/load.ts';
import { allAnchored } from '../testing/system/settled.ts';
import { makeTestWitness } from '../testing/system/witness.ts';
import { svcAdmin } from '../testing/system/svc-admin.ts';
import { postgresWorld, type Settings, useGround, type World } from '../testing/system/world.ts';
import { eventually } from '../testing/wait.ts';
import { ends } from '../testing/clients/ends.ts';

const ground = useGround();
const issuer = useIssuer();

const SECRET = 'the-secret-of-the-client';
const NAMES = [
  'database',
  'clock',
  'chain',
  'issuer',
  'proxy',
  'base_url',
  'backups',
  'disk',
  'open_files',
  'witnesses',
];

describe('svc-admin doctor', () => {
  let world: World;
  let settings: Settings;
  const proxies: Nginx[] = [];
  const ledgers = newFolder('ledgers');
  const backup = join(newFolder('backups'), 'today');
  let usual: string[];
  const restoring: (() => Promise<unknown>)[] = [];

  const proxy = async (forwardedFor: string): Promise<string> => {
    const started = await startNginx(await lastingPort(), [Number(world.settings['PORT'])], forwardedFor);
    proxies.push(started);
    return registered(started.url);
  };
  const registered = async (baseUrl: string): Promise<string> => {
    const redirectUris = [settings['BASE_URL'], baseUrl].map((base) => `${base}/sign-in/callback`);
    await issuer.signIn({ secret: SECRET, redirectUris });
    return baseUrl;
  };
  const doctor = async (
    changed: Settings = {},
  ): Promise<{ find: (name: string) => Check; failed: string[] }> => {
    const all = { ...settings, ...changed };
    // Only a separate process has a different clock.
    const checks: Check[] = changed['NODE_OPTIONS']
      ? (await svcAdmin(all, 'doctor', '--json')).json.checks
      : await examine(readConfig(all));
    expect(checks.map(({ name }) => name)).toEqual(NAMES);
    expect(JSON.stringify(checks)).not.toContain(SECRET);
    for (const { status, mend, page } of checks) {
      expect(mend === null).toBe(status === 'ok');
      const [file, anchor] = page.split('#');
      if (anchor !== undefined) expect(anchorsOf(read(file!)), page).toContain(anchor);
      else expect(trackedFiles()).toContain(file);
    }
    return {
      find: (name) => checks.find((check) => check.name === name)!,
      failed: checks.filter(({ status }) => status === 'fail').map(({ name }) => name),
    };
  };

  beforeAll(async () => {
    const { postgres, chain } = ground;
    const { url } = await issuer.ready;
    world = await postgresWorld({ postgres, chain }, { LEDGER_DIR: ledgers });
    const baseUrl = `http://127.0.0.1:${await lastingPort()}`;
    settings = {
      ...world.settings,
      BASE_URL: baseUrl,
      TRUST_PROXY: 'loopback',
      CHAIN_ID: String(chain.chainId),
      IDENTITY_ISSUER: url,
      IDENTITY_CLIENT_ID: 'web',
      IDENTITY_CLIENT_SECRET: SECRET,
    };
    await registered(baseUrl);
    await world.start(settings);
    await anchorOne();
    proxies.push(await startNginx(Number(new URL(baseUrl).port), [Number(world.settings['PORT'])]));
    await ends(svcAdmin(settings, 'backup', backup), 0);
    usual = (await doctor()).failed;
  });
  async function anchorOne(): Promise<void> {
    const load = new Load({ client: world.client, agents: await world.agents(1) });
    await load.etch();
    await allAnchored(world, load.wanted);
  }
  afterAll(async () => {
    for (const one of proxies) await one.stop();
    await world.close();
  });

  test('finds nothing to mend where everything works', async () => {
    const { find } = await doctor();
    for (const name of NAMES.filter((one) => one !== 'disk'))
      expect(find(name), name).toMatchObject({ status: 'ok', mend: null });
    expect(find('disk').detail).toMatch(/GiB .* free/);
    expect(find('database').detail).toMatch(/^PostgreSQL \d+ at .*, schema \d+$/);
    expect(find('chain').detail).toMatch(/contract and schema fit; the relayer has/);
    expect(find('proxy').detail).toBe('X-Forwarded-For arrives and is trusted; a claimed address is dropped');
  });

  test('prints one line for each check', async () => {
    const { out, status } = await svcAdmin(settings, 'doctor');
    expect(status).toBe(out.includes('\nFAIL ') || out.startsWith('FAIL ') ? 1 : 0);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.slice(5).split(' ')[0])).toEqual(NAMES);
    expect(lines[0]).toMatch(/^ok {3}database +PostgreSQL /);
  });

  const databaseOf = (changed: object): Settings => {
    const url = Object.assign(new URL(settings['DATABASE_URL']!), changed);
    return { DATABASE_URL: url.href };
  };
  const guarded = async (): Promise<Settings> => {
    const rules = join(ground.postgres.dataDir, 'pg_hba.conf');
    writeFileSync(rules, `host all guarded all scram-sha-256\n${readFileSync(rules, 'utf8')}`);
    await world.withDb(async (db) => {
      await db.query(raw("create role guarded login password 'right'"));
      await db.query(raw('select pg_reload_conf()'));
    });
    return databaseOf({ username: 'guarded', password: 'wrong' });
  };
  const powerless = async (): Promise<Settings> => {
    await world.withDb((db) => db.query(raw('create role powerless login')));
    return databaseOf({ username: 'powerless' });
  };
  const withoutCoins = async (): Promise<Settings> => {
    const relayer = privateKeyToAddress(settings['RELAYER_PRIVATE_KEY'] as `0x${string}`);
    const coins = await ground.chain.rpc('eth_getBalance', relayer, 'latest');
    await ground.chain.rpc('anvil_setBalance', relayer, '0x0');
    restoring.push(() => ground.chain.rpc('anvil_setBalance', relayer, coins));
    return {};
  };
  const elsewhere = async (): Promise<string> => {
    const other = await startServer((_request, response) => response.writeHead(404).end('not here'));
    proxies.push(other);
    return registered(other.url);
  };
  const unreachable = async (): Promise<Settings> => ({
    NODE_ENV: 'production', // a development service may be down
    BASE_URL: await registered(`http://127.0.0.1:${await lastingPort()}`),
  });
  const ledgersWith = (files: Record<string, string>): Settings => {
    const folder = newFolder('other-ledgers');
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return { LEDGER_DIR: folder };
  };
  const old = JSON.stringify({ made_at: '2020-01-02T03:04:05.678Z', folder: '/backups/old' });
  const OLD_BACKUP = { 'erasures.jsonl': '', 'revocations.jsonl': '', 'last-backup.json': old };
  const heldLog = async (): Promise<Settings> => {
    const name = `checkpoint-${encodeURIComponent(`${new URL(settings['BASE_URL']!).host}/log`)}`;
    const isHeld = async () => {
      const answer = await fetch(`${world.url}/status`, { headers: { accept: 'application/json' } });
      return ((await answer.json()) as { log: { held: string | null } }).log.held !== null;
    };
    writeFileSync(join(ledgers, name), 'no checkpoint');
    restoring.push(() => {
      rmSync(join(ledgers, name));
      return eventually('/status says so', async () => !(await isHeld()));
    });
    await eventually('/status says it', isHeld);
    return {};
  };
  const heldIndex = async (): Promise<Settings> => {
    const hold = async (why: string | null) => {
      await world.withDb((db) => db.query(sql`update account_index_state set held = ${why}`));
      await eventually('/status says it', async () => {
        const answer = await fetch(`${world.url}/status`, { headers: { accept: 'application/json' } });
        return ((await answer.json()) as { log: { index_held: string | null } }).log.index_held === why;
      });
    };
    const words = 'its entry 1 of the log of trees does not have the root that the leaves make';
    await hold(`the index of accounts ends: ${words} (docs/operating/recovery.md#a-wrong-index-entry)`);
    restoring.push(() => hold(null));
    return {};
  };
  const shifted = `--import "data:text/javascript,${encodeURIComponent(clockShift(60_000))}"`;
  const issuerAt = (path: string) => ({ IDENTITY_ISSUER: `${settings['IDENTITY_ISSUER']}${path}` });

  const given = (name: string, value: string) => () => ({ [name]: value });
  const of = (name: string, value: () => Promise<string>) => async () => ({ [name]: await value() });
  type Case = [what: string, plant: () => Settings | Promise<Settings>, words: RegExp];
  const CASES: Record<string, Case[]> = {
    database: [
      [
        'a wrong password',
        guarded,
        /^DATABASE_URL: role "guarded" cannot sign in .*the password is wrong.* -> correct DATABASE_URL/,
      ],
      [
        'a database that does not exist',
        () => databaseOf({ pathname: '/nodb' }),
        /database "nodb" does not exist.*createdb/,
      ],
      ['a role without privileges', powerless, /role "powerless" may not create tables.*grant create/],
      [
        'another key',
        given('SECRET_KEYS', 'ab'.repeat(32)),
        /SECRET_KEYS lacks a key.*put the missing key back/,
      ],
    ],
    clock: [
      [
        'a clock that differs',
        given('NODE_OPTIONS', shifted),
        /the database's clock is (59|60)\.\d s behind this machine's -> synchronize the clocks/,
      ],
    ],
    chain: [
      ['another chain', given('CHAIN_ID', '1'), /chain.*correct CHAIN_RPC_URL or CHAIN_ID/],
      [
        'an endpoint of another chain with the same id',
        of('CHAIN_RPC_URL', async () => ground.keep(await startChain()).rpcUrl),
        /CHAIN_RPC_URL.*correct the setting that the message names/,
      ],
      [
        'a schema that is not registered',
        given('SCHEMA_UID', `0x${'34'.repeat(32)}`),
        /SCHEMA_UID.*correct the setting that the message names/,
      ],
      [
        'an address without a contract',
        given('ATTESTATION_CONTRACT', `0x${'12'.repeat(20)}`),
        /ATTESTATION_CONTRACT: there is no contract/,
      ],
      ['a relayer without coins', withoutCoins, /has no coins.*send coins to 0x/],
    ],
    issuer: [
      [
        'an issuer that does not answer',
        given('IDENTITY_ISSUER', 'http://127.0.0.1:9'),
        /IDENTITY_ISSUER: .*cannot be reached.*correct IDENTITY_ISSUER/,
      ],
      [
        'an issuer without a discovery document',
        () => issuerAt('/realms/none'),
        /IDENTITY_ISSUER: .*404.*correct IDENTITY_ISSUER/,
      ],
      [
        'a wrong client secret',
        given('IDENTITY_CLIENT_SECRET', 'wrong'),
        /rejects the client.*correct IDENTITY_CLIENT_SECRET/,
      ],
      [
        'a redirect URL that is not registered',
        () => ({ BASE_URL: world.url }),
        /rejects IDENTITY_CLIENT_ID with the redirect URL .*register the redirect URL/,
      ],
    ],
    proxy: [
      ['a proxy that sends no address', of('BASE_URL', () => proxy('""')), /sends no X-Forwarded-For/],
      [
        'a proxy that passes on what a client claims',
        of('BASE_URL', () => proxy('$http_x_forwarded_for')),
        /any client can claim any address.*replace X-Forwarded-For/,
      ],
    ],
    base_url: [
      ['a BASE_URL that leads elsewhere', of('BASE_URL', elsewhere), /answers 404.*correct BASE_URL/],
      [
        'a BASE_URL that cannot be reached',
        unreachable,
        /^BASE_URL: .*ECONNREFUSED.* -> correct BASE_URL, or start the service/,
      ],
      [
        'a service of another relayer',
        of('RELAYER_PRIVATE_KEY', async () => (await ground.chain.newRelayer()).key),
        /a different service answers.*correct BASE_URL or RELAYER_PRIVATE_KEY/,
      ],
    ],
    disk: [
      [
        'a DATA_DIR that is a file',
        () => ({ DATA_DIR: join(folderWith('data'), 'data') }),
        /is not a folder that this user can write to/,
      ],
    ],
    backups: [
      [
        'an old backup',
        () => ledgersWith(OLD_BACKUP),
        /the last backup is \d+ hours old: \/backups\/old.*run svc-admin backup every day/,
      ],
      ['a lost ledger', () => ledgersWith({ 'revocations.jsonl': '' }), /erasures\.jsonl is missing/],
    ],
    witnesses: [
      [
        'a log of trees that signs nothing',
        heldLog,
        /^the log of trees: LEDGER_DIR: checkpoint-\S+ is damaged.* -> wait until restored trees are adopted/,
      ],
      [
        'an index of accounts that ends',
        heldIndex,
        /^the index of accounts ends: .*recovery\.md#a-wrong-index-entry\) -> run svc-admin fsck/,
      ],
    ],
  };
  const failing = Object.entries(CASES).flatMap(([name, cases]) =>
    cases.map(([what, ...one]) => [what, name, ...one] as const),
  );
  test.each(failing)('names %s', async (_what, name, plant, words) => {
    const { find, failed } = await doctor(await plant());
    for (const restore of restoring.splice(0)) await restore();
    const { detail, mend } = find(name);
    expect(`${detail} -> ${mend}`).toMatch(words);
    expect(failed.filter((row) => row === name || !usual.includes(row))).toEqual([name]);
  });

  test('warns of a witness that does not answer', async () => {
    const { folder, key } = await makeTestWitness('one.example');
    const policy = join(folder, 'policy');
    writeFileSync(policy, `witness one ${key} http://127.0.0.1:${await lastingPort()}\nquorum one\n`);
    const { find, failed } = await doctor({ WITNESS_POLICY: policy });
    expect(find('witnesses')).toMatchObject({ status: 'warn' });
    expect(find('witnesses').detail).toMatch(/^one: it cannot be reached/);
    expect(failed).toEqual(usual);
  });

  test('warns of a restored database that is older than its chain', async () => {
    const restored = { DATABASE_URL: await newDatabase(ground.postgres), LEDGER_DIR: newFolder('older') };
    const ledgerFiles = ['erasures', 'revocations'].flatMap((name) => [
      `--${name}`,
      join(ledgers, `${name}.jsonl`),
    ]);
    await ends(svcAdmin({ ...settings, ...restored }, 'restore', backup, ...ledgerFiles), 0);
    expect((await doctor(restored)).find('chain')).toMatchObject({ status: 'ok' });
    await anchorOne();
    const { detail, mend, status } = (await doctor(restored)).find('chain');
    expect(`${status} ${detail} -> ${mend}`).toMatch(
      /^warn .* has \d+ transactions? .* does not know: it is older than its chain.* -> restore the newest backup/,
    );
    expect((await doctor()).find('chain')).toMatchObject({ status: 'ok' });
  });

  test('warns of a standby that does not answer, or is none', async () => {
    const free = await lastingPort();
    const at = (url: Settings) => ({ DATABASE_READ_URL: url['DATABASE_URL']! });
    for (const [changed, words] of [
      [at(databaseOf({ port: String(free) })), /its standby answers no lists.*ECONNREFUSED/],
      [at(settings), /its standby answers no lists.*takes writes/],
    ] as const) {
      const { find, failed } = await doctor(changed);
      expect(find('database')).toMatchObject({
        status: 'warn',
        detail: expect.stringMatching(words) as string,
        mend: expect.stringContaining('unset DATABASE_READ_URL') as string,
      });
      expect(failed).toEqual(usual);
    }
  });

  // It may have to be installed.
  test.runIf(process.env['TEST_SOAK'] === '1')('names a pooler in transaction mode', async () => {
    const { url } = ground.keep(await startPgbouncer(settings['DATABASE_URL']!));
    const { find, failed } = await doctor({ DATABASE_URL: url });
    const { detail, mend } = find('database');
    expect(`${detail} -> ${mend}`).toMatch(/a pooler at DATABASE_URL.* -> add \?pooler=transaction to/);
    expect(failed.filter((row) => row === 'database' || !usual.includes(row))).toEqual(['database']);
    expect((await doctor({ DATABASE_URL: `${url}?pooler=transaction` })).failed).toEqual(usual);
  });

  // A small disk needs the privilege to mount one.
  test.skipIf(process.getuid?.() !== 0 || spawnSync('unshare', ['-m', 'true']).status !== 0)(
    'names a full disk',
    async () => {
      const folder = newFolder('full-disk');
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'none', folder]);
      try {
        const { find, failed } = await doctor({ DATA_DIR: folder });
        expect(failed).toEqual(['disk']);
        const { detail, mend } = find('disk');
        expect(`${detail} -> ${mend}`).toMatch(
          /full-disk\S*: 0\.1 GiB \(100 %\) free -> free space or enlarge/,
        );
      } finally {
        execFileSync('umount', [folder]);
      }
    },
  );

  test('warns of an empty database', async () => {
    const { find } = await doctor({ DATABASE_URL: await newDatabase(ground.postgres) });
    expect(find('database')).toMatchObject({ status: 'warn', detail: expect.stringContaining('is empty') });
  });

  test('names a proxy that TRUST_PROXY does not contain', async () => {
    await world.service.stop();
    await world.start({ ...settings, TRUST_PROXY: '' });
    const { status, detail } = (await doctor({ TRUST_PROXY: '' })).find('proxy');
    expect(`${status} ${detail}`).toMatch(/^fail .*TRUST_PROXY is not set/);
  });

  test('works with the built-in parts', async () => {
    const own = { DATA_DIR: newFolder('data'), PORT: String(await lastingPort()) };
    const run = await svcAdmin(own, 'doctor', '--json');
    const find = (name: string) => (run.json.checks as Check[]).find((check) => check.name === name)!;
    for (const name of ['database', 'chain', 'issuer'])
      expect(find(name)).toMatchObject({ status: 'ok', detail: expect.stringMatching(/^embedded/) });
    expect(find('base_url').status).toBe('warn');
    expect(run.status).toBe(find('disk').status === 'fail' ? 1 : 0);
  });
});

test('a check that never answers fails alone, and no URL shows its password', async () => {
  const late = await bounded('issuer', () => new Promise(() => undefined), 1);
  expect(late).toMatchObject({ name: 'issuer', status: 'fail', detail: expect.stringMatching(/^no answer/) });
  const masked = await bounded('database', async () => ok('postgres://svc:word@db/svc'));
  expect(masked.detail).toBe('postgres://***@db/svc');
});

test('judges the free space of a disk', () => {
  const GIB = 1024 ** 3;
  expect(judgeSpace('/data', 0.1 * GIB, 100 * GIB).status).toBe('fail');
  expect(judgeSpace('/data', 3 * GIB, 100 * GIB).status).toBe('warn');
  expect(judgeSpace('/data', 30 * GIB, 100 * GIB)).toMatchObject({ status: 'ok', mend: null });
});
