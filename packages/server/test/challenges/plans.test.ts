import { CHALLENGE_SORTS, type ChallengeSort, type ChallengeStatus, TOPIC_IDS } from '@svc/contract';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { listEntries, pageOfChallenges } from '../../src/challenges/list-store.ts';
import { findChallengeDetail } from '../../src/challenges/store.ts';
import { plansOf } from '../../../../testing/database/plans.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { at, NOON } from './support.ts';

const db = useDatabase();
const USER = '94e1d7a3-0b6c-4c2f-87f5-1a3e5d9b0c68';
let busy = '';

beforeAll(async () => {
  await db.query(sql`
    insert into account (id, kind, username, display_name, created_at)
    select case when n = 0 then ${USER}::uuid else gen_random_uuid() end, 'agent', 'agent_' || n, 'A', now()
    from generate_series(0, 5000) as n`);
  await db.query(sql`
    insert into challenge (id, code, question, category_id, creator_id, created_at, reveal_at)
    select gen_random_uuid(), 'code' || n, 'question ' || n || repeat(' and more of it', 8), (${[...TOPIC_IDS]}::text[])[n % 11 + 1], ${USER},
      ${at(NOON)}::timestamptz - make_interval(mins => 20000 - n), ${at(NOON)}::timestamptz - make_interval(mins => 19500 - n)
    from generate_series(1, 20000) as n`);
  await db.query(sql`
    insert into challenge_tally (id, category_id, created_at, reveal_at, etch_count)
    select id, category_id, created_at, reveal_at, ascii(substr(id::text, 1, 1)) from challenge`);
  const [row] = await db.query<{ id: string }>(sql`select id from challenge where code = 'code20000'`);
  busy = row!.id;
  await db.query(sql`
    insert into etch (id, user_id, code, mode, status, hash, description, category_id, challenge_id, created_at,
      reveal_at, sealed)
    select gen_random_uuid(), id, id::text, 'delayed', 'sealed', '\\x00', 'd', 'ai', ${busy}, created_at, now(), '\\x00'
    from account`);
  for (const table of ['challenge', 'challenge_tally', 'etch', 'account']) {
    await db.query(sql([`vacuum analyze ${table}`]));
  }
});

const WHOLE_TABLE = /Seq Scan on (challenge|challenge_tally|etch)\b/;

test.each(
  CHALLENGE_SORTS.flatMap((sort) =>
    (['open', 'closed', 'all'] as const).map((status) => [status, sort] as [ChallengeStatus, ChallengeSort]),
  ),
)(
  'reads %s challenges by %s from an index, for all topics, for one and for several',
  async (status, sort) => {
    for (const categories of [[], ['ai'], ['ai', 'tech']]) {
      const filter = { status, categories, now: NOON };
      for (const page of status === 'open' ? [1] : [1, 10]) {
        const plans = await plansOf(db, (watched) => pageOfChallenges(watched, filter, sort, page));
        // A scan of the narrow table may count nearly all rows more cheaply than the index.
        const lists = plans.filter((plan) => !plan.startsWith('Aggregate'));
        expect(lists.length).toBeGreaterThan(1);
        for (const plan of lists) expect(plan, categories.join()).not.toMatch(WHOLE_TABLE);
      }
    }
  },
);

test('runs only the count for a page after the last', async () => {
  const filter = { status: 'all', categories: [], now: NOON } as const;
  expect(
    await plansOf(db, (watched) => pageOfChallenges(watched, filter, 'newest', 999_999_999)),
  ).toHaveLength(1);
});

test('reads a challenge, its counts and a page of its etches from indexes', async () => {
  const plans = await plansOf(db, async (watched) => {
    expect((await findChallengeDetail(watched, busy))?.retracted_count).toBe(0);
    const place = { createdAt: at(Date.now() + 1000), id: busy };
    for (const sort of ['newest', 'soonest'] as const) {
      await listEntries(watched, busy, { sort, limit: 31 });
      await listEntries(watched, busy, { sort, limit: 31, after: place });
    }
  });
  expect(plans).toHaveLength(5);
  for (const plan of plans) expect(plan).not.toMatch(WHOLE_TABLE);
  for (const plan of plans.slice(1)) expect(plan).toContain('etch_in_challenge');
});
