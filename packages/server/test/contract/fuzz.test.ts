import { ROUTES } from '@svc/contract';
import fc from 'fast-check';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { TSchema } from 'typebox';
import { beforeAll, expect, test } from 'vitest';
import { prepared } from '../../src/db/db.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import type { TestPerson } from '../../../../testing/service/acts.ts';
import { rounds } from '../../../../testing/rounds.ts';
import { useService } from '../../../../testing/service/service.ts';

/**
 * Sends invalid requests to every operation: none may return a 5xx, every error uses the envelope, and a rejected
 * request changes nothing.
 */
const service = useService({
  settings: { GUIDE_ENABLED: 'true', LIMIT_GUIDE_PER_HOUR: '1000000', LIMIT_CHALLENGES_PER_DAY: '1000000' },
});
/** Each database uses its own seed, so that a failure can be repeated. */
const ROUNDS = rounds(20, 1_000);
const READS_AT_ONCE = 50;
const WRITES_AT_ONCE = 8;
const SEED = process.env['TEST_ENGINE'] === 'postgres' ? 20_260_101 : 20_260_102;

let agent: TestAgent;
let person: TestPerson;
let ids: string[];
let cursors: string[];
beforeAll(async () => {
  agent = await service.registerAgent();
  person = await service.signIn('ada');
  ids = [(await service.etch(agent)).id, (await service.etch(agent)).id, agent.userId];
  const { body } = await service.get(`/api/v1/users/${agent.username}/etches?limit=1`);
  cursors = tampered(body.page.next_cursor as string);
});

function tampered(cursor: string): string[] {
  expect(cursor.length).toBeGreaterThan(8);
  const changed = Array.from(
    cursor,
    (one, at) => cursor.slice(0, at) + (one === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
  );
  const cut = [cursor.slice(1), cursor.slice(0, -1)];
  return [cursor, ...changed, ...cut, `${cursor}A`, cursor + cursor, `${cursor}=`];
}

const NASTY = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\udfff',
  '__proto__',
  'constructor',
  '%',
  '_',
  '\\',
  '%00',
  '../..',
  '1e999',
  '-0',
  'null',
  'NaN',
  '٣',
  '\u202e',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  "'; drop table etch; --",
  '${7*7}',
  '9'.repeat(400),
  'x'.repeat(5_000),
  '2026-02-30T00:00:00Z',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01T00:00:00Z',
];
/** fast-check's own unit takes a second to load. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
const nasty = fc.constantFrom(...NASTY);
const anything = fc.oneof(
  { weight: 3, arbitrary: nasty },
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, true, false, [], {}, [null], 1e308, -1, 0, 2 ** 53),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.dictionary(fc.oneof(fc.string(), nasty), fc.string(), { maxKeys: 3 }),
);

const namesIn = (schema?: { properties?: object }): string[] => Object.keys(schema?.properties ?? {});

function bodyLike(schema: TSchema | undefined, example: unknown): fc.Arbitrary<unknown> {
  const field = (name: string) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant((example as Record<string, unknown> | undefined)?.[name]) },
      { weight: 1, arbitrary: anything },
    );
  const all = Object.fromEntries(namesIn(schema).map((name) => [name, field(name)]));
  const fields = fc.record(all, { requiredKeys: [] });
  return fc.oneof({ weight: 6, arbitrary: fields }, { weight: 1, arbitrary: anything });
}

function pathLike(path: string): fc.Arbitrary<string> {
  const segment = fc.oneof(
    fc.constantFrom(...ids, agent.username, 'ab'.repeat(32)),
    nasty.filter((text) => text !== '' && text.isWellFormed()).map(encodeURIComponent),
    fc.constant('%ZZ'),
  );
  const parts = path.split('/').map((part) => (part.startsWith('{') ? segment : fc.constant(part)));
  return fc.tuple(...parts).map((all) => all.join('/'));
}

function queryLike(schema: TSchema | undefined): fc.Arbitrary<string> {
  const names = namesIn(schema);
  const cursor = names.includes('cursor')
    ? [{ weight: 2, arbitrary: fc.constantFrom(...cursors).map((value) => `cursor=${value}`) }]
    : [];
  const usual = fc.constantFrom('1', '0', '2', '100', '101', 'ai', 'sealed', 'newest', 'AAAA');
  const pair = fc
    .tuple(fc.constantFrom(...names, 'unknown', '__proto__'), fc.oneof(nasty, usual, fc.string()))
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  const one = fc.oneof({ weight: 5, arbitrary: pair }, ...cursor);
  return fc.array(one, { maxLength: 4 }).map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
}

const RAW = [
  '{',
  '[',
  '"',
  '{"content":',
  '['.repeat(30_000),
  'null',
  '0',
  '{"a":1e999}',
  '\ufeff{}',
  `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  '{"__proto__":{"x":1}}',
  '{"\\u005f_proto__":1}',
  '{"content":"\\ud800"}',
  Buffer.from('{"content":"\xff"}', 'latin1'),
];
const rawBody = fc.oneof(
  fc.constantFrom<string | Uint8Array>(...RAW),
  fc.uint8Array({ minLength: 1, maxLength: 64 }),
);

/** A rejected request must not change these rows, including spent points. */
const WHOLE = ['account', 'allowance', 'follow', 'webhook'];
let snapshot: Sql | undefined;

/** One prepared statement, because it runs often. */
async function rows(): Promise<string> {
  snapshot ??= await prepareSnapshot();
  const [row] = await service.db.query<{ seen: string }>(snapshot);
  return row!.seen;
}

async function prepareSnapshot(): Promise<Sql> {
  const tables = await service.db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const counts = tables.map(({ name }) => `(select count(*) from ${name}) as ${name}`);
  const sums = WHOLE.map(
    (name) => `(select sum(hashtextextended(t::text, 0))::text from ${name} t) as ${name}_rows`,
  );
  const statement = `select row_to_json(seen)::text as seen from (select ${[...counts, ...sums].join(', ')}) seen`;
  if (service.db.engine === 'postgres') return prepared(raw(statement));
  await service.db.query(raw(`prepare fuzz_snapshot as ${statement}`));
  return raw('execute fuzz_snapshot');
}

test.each(Object.keys(ROUTES) as (keyof typeof ROUTES)[])(
  '%s rejects invalid requests with the envelope',
  async (operation) => {
    const route = ROUTES[operation] as {
      path: string;
      method: string;
      query?: TSchema;
      body?: TSchema;
      bodyExample?: unknown;
    };
    const takesBody = route.method !== 'GET';
    const requests = fc.sample(
      fc.record({
        path: pathLike(route.path),
        query: queryLike(route.query),
        body: takesBody
          ? fc.option(bodyLike(route.body, route.bodyExample), { nil: undefined })
          : fc.constant(undefined),
        raw: takesBody ? fc.option(rawBody, { nil: undefined, freq: 3 }) : fc.constant(undefined),
        key: fc.constantFrom(undefined, agent.key, agent.key, person.token, 'svc_sk_no', 'a.b.c'),
        headers: fc.constantFrom(
          {},
          { 'content-type': 'text/plain' },
          { 'if-none-match': '*' },
          ...['k'.repeat(300), ' '].map((key) => ({ 'idempotency-key': key })),
        ),
      }),
      { numRuns: ROUNDS, seed: SEED },
    );
    const send = async ({ path, query, body, raw: rawText, key, headers }: (typeof requests)[number]) => {
      const answer = await service.call(
        route.method,
        path + query,
        rawText === undefined ? body : undefined,
        { key, headers, ...(rawText !== undefined && { raw: rawText }) },
      );
      const got = { status: answer.status, answer: answer.text.slice(0, 300) };
      const describe = (): string =>
        JSON.stringify({ path, query, body, raw: String(rawText).slice(0, 80), key, ...got });
      const refused = answer.status >= 400;
      if (answer.status >= 500) expect.fail(`a failure of the service's own: ${describe()}`);
      if (refused && !/^[a-z_]+$/.test(answer.body?.error?.code ?? ''))
        expect.fail(`no envelope: ${describe()}`);
      return { describe, refused };
    };
    const sendTogether = (some: typeof requests) => Promise.all(some.map(send));
    // A search may update its index, which changes nothing else.
    for (const task of ['search', 'search names']) await service.runTask(task);
    let before = await rows();
    const atOnce = takesBody ? WRITES_AT_ONCE : READS_AT_ONCE;
    for (let from = 0; from < requests.length; from += atOnce) {
      const some = requests.slice(from, from + atOnce);
      const answers = await sendTogether(some);
      let refused = answers;
      // Accepted requests may have changed rows; send only the rejected ones again.
      if (takesBody && answers.some((answer) => !answer.refused)) {
        before = await rows();
        refused = await sendTogether(some.filter((_, at) => answers[at]!.refused));
        if (refused.some((answer) => !answer.refused)) {
          before = await rows();
          continue;
        }
      }
      const after = await rows();
      if (after !== before) expect(after, refused.map(({ describe }) => describe()).join('\n')).toBe(before);
    }
  },
);
