// Runs without a database.
import { copyFileSync, readFileSync, statSync, writeFileSync, chmodSync, chownSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FORGETFUL, type PostgresServer, startPostgres } from '../../../../testing/database/postgres.ts';
import { explain } from '../../src/admin/context.ts';
import { DatabaseUnavailable } from '../../src/db/db.ts';
import { openPostgres } from '../../src/db/postgres.ts';

const PASSWORD = 'word-that-stays-secret';
const TLS = new URL('../fixtures/tls/', import.meta.url).pathname;

let server: PostgresServer;
let at: string;

beforeAll(async () => {
  server = await startPostgres({ settings: FORGETFUL });
  at = new URL(server.url).host;
  const hba = join(server.dataDir, 'pg_hba.conf');
  const lines = ['host all barred all reject', 'host all keyed all scram-sha-256'];
  writeFileSync(hba, `${lines.join('\n')}\n${readFileSync(hba, 'utf8')}`);
  await run([
    `create role keyed login password '${PASSWORD}'`,
    'create role barred login',
    'create role plain login',
    'create role single login connection limit 0',
    'create database closed',
    'revoke connect on database closed from public',
    'select pg_reload_conf()',
  ]);
});
async function run(statements: readonly string[]) {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
afterAll(() => server.stop());

async function problemOf(url: string, standby = false) {
  const db = openPostgres({ url, standby });
  try {
    const error: unknown = await db.query(sql`select 1`).catch((failure: unknown) => failure);
    if (!(error instanceof DatabaseUnavailable)) throw new Error(`no connection error: ${String(error)}`);
    expect(error.message).toBe('the database cannot be reached');
    expect(error.reason).not.toContain(PASSWORD);
    expect(error.stack).not.toContain(PASSWORD);
    const { text, code } = explain(error);
    expect(text).toBe(error.reason);
    return { text, permanent: error.permanent, code };
  } finally {
    await db.close();
  }
}

/** Fills in the server's address and the password. */
const filled = (text: string): string => text.replaceAll('HERE', at).replaceAll('WORD', PASSWORD);
const NO_DATABASE = 'database "nodb" does not exist at HERE; create it with createdb';
const REFUSED =
  '127.0.0.1:9 cannot be reached: nothing listens there, or a firewall rejects the connection (ECONNREFUSED)';

describe('a connection error that only a new setting or database resolves', () => {
  test.each([
    ['postgres:WORD@HERE/nodb', NO_DATABASE],
    [
      'keyed:not-WORD@HERE/postgres',
      'role "keyed" cannot sign in at HERE: the password is wrong, or the role does not exist; correct DATABASE_URL, or create the role with createuser',
    ],
    ['keyed@HERE/postgres', 'HERE requires a password for role "keyed"; add one to DATABASE_URL'],
    [
      'stranger:WORD@HERE/postgres',
      'role "stranger" does not exist at HERE; create it with createuser, or correct DATABASE_URL',
    ],
    [
      'plain@HERE/closed',
      'role "plain" may not connect to database "closed" at HERE; grant it CONNECT, or correct DATABASE_URL',
    ],
    [
      'postgres@HERE/postgres?sslmode=require',
      'HERE has TLS off; turn ssl on there, or set sslmode=disable in DATABASE_URL',
    ],
  ])('%s: %s', async (url, text) => {
    const problem = { text: filled(`DATABASE_URL: ${text}`), permanent: true, code: 78 };
    expect(await problemOf(filled(`postgres://${url}`))).toEqual(problem);
  });

  test('a role that pg_hba.conf rejects', async () => {
    const text = expect.stringMatching(
      /^DATABASE_URL: role "barred" is rejected by \S+: pg_hba\.conf rejects connection .*; correct pg_hba\.conf there, or DATABASE_URL$/,
    );
    expect(await problemOf(`postgres://barred@${at}/postgres`)).toMatchObject({ text, permanent: true });
  });

  test('a TLS certificate that is not trusted', async () => {
    const { uid, gid } = statSync(server.dataDir);
    for (const [from, to] of [
      ['agents.pem', 'server.crt'],
      ['agents.key.pem', 'server.key'],
    ] as const) {
      const file = join(server.dataDir, to);
      copyFileSync(join(TLS, from), file);
      chmodSync(file, 0o600);
      chownSync(file, uid, gid);
    }
    await run(['alter system set ssl = on', 'select pg_reload_conf()']);
    const url = `postgres://postgres:${PASSWORD}@${at}/postgres?sslmode=verify-full`;
    await expect
      .poll(async () => (await problemOf(url)).text)
      .toMatch(
        /^DATABASE_URL: TLS with \S+ failed: its TLS certificate is signed by an authority that is not trusted \([A-Z_]+\); name the certificate authority with sslrootcert, or correct sslmode, in DATABASE_URL$/,
      );
    expect(await problemOf(url)).toMatchObject({ permanent: true, code: 78 });
  });
});

describe('a connection error that a retry may resolve', () => {
  test.each([
    ['postgres:WORD@127.0.0.1:9/postgres', REFUSED],
    ['postgres:WORD@127.0.0.1:9,HERE/nodb', `${REFUSED}; ${NO_DATABASE}`],
    [
      'postgres:WORD@localhost/postgres?host=/nowhere',
      '/nowhere cannot be reached: the socket file does not exist (ENOENT)',
    ],
    [
      'single@HERE/postgres',
      'HERE has no free connection (too many connections for role "single"); raise max_connections there, or lower pool_size in DATABASE_URL or PROCESSES',
    ],
  ])('%s: %s', async (url, text) => {
    const problem = { text: filled(`DATABASE_URL: ${text}`), permanent: false, code: 69 };
    expect(await problemOf(filled(`postgres://${url}`))).toEqual(problem);
  });

  test('a host name that does not exist', async () => {
    const text = expect.stringMatching(
      /^DATABASE_URL: no-such-host\.invalid:5432 cannot be reached: the host name .*\((ENOTFOUND|EAI_AGAIN)\)$/,
    );
    const problem = await problemOf(`postgres://a:${PASSWORD}@no-such-host.invalid/b`);
    expect(problem).toMatchObject({ text, permanent: false });
  });

  test('a primary where DATABASE_READ_URL requires a standby', async () => {
    expect(await problemOf(`postgres://postgres@${at}/postgres`, true)).toMatchObject({
      text: `DATABASE_READ_URL: ${at}: the server takes writes: it is no standby; name a server in the right role in DATABASE_READ_URL`,
      permanent: false,
    });
  });

  const fatal = (code: string, message: string): Buffer => {
    const error = `SFATAL\0C${code}\0M${message}\0\0`;
    const length = Buffer.alloc(4);
    length.writeInt32BE(error.length + 4);
    return Buffer.concat([Buffer.from('E'), length, Buffer.from(error)]);
  };
  const starting = fatal('57P03', 'the database system is starting up');
  const pooled = fatal('08P01', 'unsupported startup parameter: options');
  test.each<[string, string | Buffer, RegExp, boolean]>([
    [
      'is not PostgreSQL',
      'HTTP/1.1 400 Bad Request\r\n\r\n',
      /(check that PostgreSQL|cannot be reached)/,
      false,
    ],
    ['is starting up', starting, /accepts no connections now: the database system is starting up$/, false],
    ['is a pooler', pooled, /unsupported startup parameter: options.*add \?pooler=transaction/, true],
  ])('a server that %s', async (_, answer, words, isPermanent) => {
    const faulty = createServer((socket) => {
      socket.once('data', () => socket.end(answer));
      socket.on('error', () => undefined);
    });
    const { text, permanent } = await problemAt(faulty);
    expect(text).toMatch(/^DATABASE_URL: 127\.0\.0\.1:\d+ /);
    expect(text).toMatch(words);
    expect(permanent).toBe(isPermanent);
  });

  test('a server that never answers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const silent = createServer(() => void vi.advanceTimersByTimeAsync(60_000));
    const { text } = await problemAt(silent).finally(() => vi.useRealTimers());
    expect(text).toMatch(/^DATABASE_URL: 127\.0\.0\.1:\d+ does not answer; check host, port and firewall$/);
  });
});

async function problemAt(faulty: ReturnType<typeof createServer>) {
  const sockets = new Set<Socket>();
  faulty.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => faulty.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = faulty.address() as AddressInfo;
    return await problemOf(`postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`);
  } finally {
    for (const socket of sockets) socket.destroy();
    faulty.close();
  }
}
