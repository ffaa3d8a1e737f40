import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { raw } from 'sql-template-tag';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeSpace } from '../packages/server/src/admin/doctor/storage.ts';
import { examine } from '../packages/server/src/admin/doctor/doctor.ts';
import { bounded, type Check, ok } from '../packages/server/src/admin/doctor/finding.ts';
import { readConfig } from '../packages/server/src/settings/read-config.ts';
import { startChain } from '../testing/chain/anvil.ts';
import { newDatabase } from '../testing/database/postgres.ts';
import { useIssuer } from '../testing/issuer/standalone-issuer.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { type Nginx, startNginx } from '../testing/machine/nginx.ts';
import { startPgbouncer } from '../testing/machine/pgbouncer.ts';
import { startServer } from '../testing/machine/server.ts';
import { clockShift } from '../testing/system/clock-shift.ts';
import { makeTestWitness } from '../testing/system/witness.ts';
import { svcAdmin } from '../testing/system/svc-admin.ts';
import { postgresWorld, type Settings, useGround, type World } from '../testing/system/world.ts';
import { eventually } from '../testing/wait.ts';
import { ends } from '../testing/clients/ends.ts';

const ground = useGround();
const issuer = useIssuer();

const SECRET = 'the-secret-of-the-client';
const NAMES = ['database', 'clock', 'chain', 'issuer', 'proxy', 'base_url', 'backups', 'disk', 'witnesses'];

describe('svc-admin doctor', () => {
  let world: World;
  let settings: Settings;
  const proxies: Nginx[] = [];
  const ledgers = newFolder('ledgers');
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
    // Only a process has a clock of its own.
    const checks: Check[] = changed['NODE_OPTIONS']
      ? (await svcAdmin(all, 'doctor', '--json')).json.checks
      : await examine(readConfig(all));
    expect(checks.map(({ name }) => name)).toEqual(NAMES);
    expect(JSON.stringify(checks)).not.toContain(SECRET);
    for (const { status, mend } of checks) expect(mend === null).toBe(status === 'ok');
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
    proxies.push(await startNginx(Number(new URL(baseUrl).port), [Number(world.settings['PORT'])]));
    await ends(svcAdmin(settings, 'backup', join(newFolder('backups'), 'today')), 0);
    usual = (await doctor()).failed;
  });
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
    expect(lines[0]).toMatch(/^ok {3}database PostgreSQL /);
  });

  const withDatabase = (change: (url: URL) => void): string => {
    const url = new URL(settings['DATABASE_URL']!);
    change(url);
    return url.href;
  };
  const failing: [string, string, () => Settings | Promise<Settings>, RegExp][] = [
    [
      'a wrong password',
      'database',
      async () => {
        const { dataDir } = ground.postgres;
        const rules = join(dataDir, 'pg_hba.conf');
        writeFileSync(rules, `host all guarded all scram-sha-256\n${readFileSync(rules, 'utf8')}`);
        await world.withDb(async (db) => {
          await db.query(raw("create role guarded login password 'right'"));
          await db.query(raw('select pg_reload_conf()'));
        });
        return {
          DATABASE_URL: withDatabase((url) => Object.assign(url, { username: 'guarded', password: 'wrong' })),
        };
      },
      /^DATABASE_URL: role "guarded" cannot sign in .*the password is wrong.* -> correct DATABASE_URL/,
    ],
    [
      'a database that does not exist',
      'database',
      () => ({ DATABASE_URL: withDatabase((url) => (url.pathname = '/nodb')) }),
      /database "nodb" does not exist.*createdb/,
    ],
    [
      'a role without privileges',
      'database',
      async () => {
        await world.withDb(async (db) => {
          await db.query(raw('create role powerless login'));
        });
        return { DATABASE_URL: withDatabase((url) => (url.username = 'powerless')) };
      },
      /role "powerless" may not create tables.*grant create/,
    ],
    [
      'another key',
      'database',
      () => ({ SECRET_KEYS: 'ab'.repeat(32) }),
      /SECRET_KEYS lacks a key.*put the missing key back/,
    ],
    [
      'a clock that differs',
      'clock',
      () => ({ NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(clockShift(60_000))}"` }),
      /the database's clock is (59|60)\.\d s behind this machine's -> synchronize the clocks/,
    ],
    ['another chain', 'chain', () => ({ CHAIN_ID: '1' }), /chain.*correct CHAIN_RPC_URL or CHAIN_ID/],
    [
      'an endpoint of another chain with the same id',
      'chain',
      async () => ({ CHAIN_RPC_URL: ground.keep(await startChain()).rpcUrl }),
      /CHAIN_RPC_URL.*correct the setting that the message names/,
    ],
    [
      'a schema that is not registered',
      'chain',
      () => ({ SCHEMA_UID: `0x${'34'.repeat(32)}` }),
      /SCHEMA_UID.*correct the setting that the message names/,
    ],
    [
      'an address without a contract',
      'chain',
      () => ({ ATTESTATION_CONTRACT: `0x${'12'.repeat(20)}` }),
      /ATTESTATION_CONTRACT: there is no contract/,
    ],
    [
      'a relayer without coins',
      'chain',
      async () => {
        const relayer = privateKeyToAddress(settings['RELAYER_PRIVATE_KEY'] as `0x${string}`);
        const coins = await ground.chain.rpc('eth_getBalance', relayer, 'latest');
        await ground.chain.rpc('anvil_setBalance', relayer, '0x0');
        restoring.push(() => ground.chain.rpc('anvil_setBalance', relayer, coins));
        return {};
      },
      /has no coins.*send coins to 0x/,
    ],
    [
      'an issuer that does not answer',
      'issuer',
      () => ({ IDENTITY_ISSUER: 'http://127.0.0.1:9' }),
      /IDENTITY_ISSUER: .*cannot be reached.*correct IDENTITY_ISSUER/,
    ],
    [
      'an issuer without a discovery document',
      'issuer',
      () => ({ IDENTITY_ISSUER: `${settings['IDENTITY_ISSUER']}/realms/none` }),
      /IDENTITY_ISSUER: .*404.*correct IDENTITY_ISSUER/,
    ],
    [
      'a wrong client secret',
      'issuer',
      () => ({ IDENTITY_CLIENT_SECRET: 'wrong' }),
      /rejects the client.*correct IDENTITY_CLIENT_SECRET/,
    ],
    [
      'a redirect URL that is not registered',
      'issuer',
      () => ({ BASE_URL: world.url }),
      /rejects IDENTITY_CLIENT_ID with the redirect URL .*register the redirect URL/,
    ],
    [
      'a proxy that sends no address',
      'proxy',
      async () => ({ BASE_URL: await proxy('""') }),
      /sends no X-Forwarded-For/,
    ],
    [
      'a proxy that passes on what a client claims',
      'proxy',
      async () => ({ BASE_URL: await proxy('$http_x_forwarded_for') }),
      /any client can claim any address.*replace X-Forwarded-For/,
    ],
    [
      'a BASE_URL that leads elsewhere',
      'base_url',
      async () => {
        const other = await startServer((_request, response) => response.writeHead(404).end('not here'));
        proxies.push(other);
        return { BASE_URL: await registered(other.url) };
      },
      /answers 404.*correct BASE_URL/,
    ],
    [
      'a BASE_URL that cannot be reached',
      'base_url',
      async () => ({
        NODE_ENV: 'production', // a development service may be down
        BASE_URL: await registered(`http://127.0.0.1:${await lastingPort()}`),
      }),
      /^BASE_URL: .*ECONNREFUSED.* -> correct BASE_URL, or start the service/,
    ],
    [
      'a service of another relayer',
      'base_url',
      async () => ({ RELAYER_PRIVATE_KEY: (await ground.chain.newRelayer()).key }),
      /a different service answers.*correct BASE_URL or RELAYER_PRIVATE_KEY/,
    ],
    [
      'a DATA_DIR that is a file',
      'disk',
      () => {
        const file = join(newFolder('file'), 'data');
        writeFileSync(file, '', { mode: 0o600 });
        return { DATA_DIR: file };
      },
      /is not a folder that this user can write to/,
    ],
    [
      'an old backup',
      'backups',
      () => {
        const folder = newFolder('old-ledgers');
        for (const name of ['erasures.jsonl', 'revocations.jsonl']) writeFileSync(join(folder, name), '');
        writeFileSync(
          join(folder, 'last-backup.json'),
          JSON.stringify({ made_at: '2020-01-02T03:04:05.678Z', folder: '/backups/old' }),
        );
        return { LEDGER_DIR: folder };
      },
      /the last backup is \d+ hours old: \/backups\/old.*run svc-admin backup every day/,
    ],
    [
      'a lost ledger',
      'backups',
      () => {
        const folder = newFolder('half-ledgers');
        writeFileSync(join(folder, 'revocations.jsonl'), '');
        return { LEDGER_DIR: folder };
      },
      /erasures\.jsonl is missing/,
    ],
    [
      'a log of trees that signs nothing',
      'witnesses',
      async () => {
        const name = `checkpoint-${encodeURIComponent(`${new URL(settings['BASE_URL']!).host}/log`)}`;
        const isHeld = async () => {
          const headers = { accept: 'application/json' };
          const answer = await fetch(`${world.url}/status`, { headers });
          return ((await answer.json()) as { log: { held: string | null } }).log.held !== null;
        };
        writeFileSync(join(ledgers, name), 'no checkpoint');
        restoring.push(() => {
          rmSync(join(ledgers, name));
          return eventually('/status says so', async () => !(await isHeld()));
        });
        await eventually('/status says it', isHeld);
        return {};
      },
      /^the log of trees: LEDGER_DIR: checkpoint-\S+ is damaged.* -> wait until restored trees are adopted/,
    ],
  ];
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
    const { find } = await doctor({ TRUST_PROXY: '' });
    expect(find('proxy')).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('TRUST_PROXY is not set'),
    });
  });

  test('works with the built-in parts', async () => {
    const run = await svcAdmin(
      { DATA_DIR: newFolder('data'), PORT: String(await lastingPort()) },
      'doctor',
      '--json',
    );
    const find = (name: string) => (run.json.checks as Check[]).find((check) => check.name === name)!;
    expect(find('database')).toMatchObject({ status: 'ok', detail: expect.stringMatching(/^embedded/) });
    expect(find('chain')).toMatchObject({ status: 'ok', detail: expect.stringMatching(/^embedded/) });
    expect(find('issuer')).toMatchObject({ status: 'ok', detail: expect.stringMatching(/^embedded/) });
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
