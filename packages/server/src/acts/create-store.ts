// Creates many etches in one transaction. If it fails, each gets its own, so that one bad request stops no other.
import sql, { empty, raw, Sql } from 'sql-template-tag';
import { lockBuckets, type Bucket } from '../accounts/allowance-store.ts';
import { type BoundKey, findBoundKeys } from '../accounts/idempotency-store.ts';
import { findEntryTerms } from '../challenges/store.ts';
import { toTime } from '../db/clock.ts';
import { DatabaseUnavailable, prepared, retryOnUniqueViolation, type Tx, UniqueViolation } from '../db/db.ts';
import { ETCH_COLUMNS } from '../etches/row.ts';
import type { CreateDependencies, Creation, NewEtch, CreateOutcome } from './creation.ts';
import { decideBatch } from './decide-batch.ts';

type Outcomes = readonly (CreateOutcome | Error)[];

export async function createBatch(
  creations: readonly Creation[],
  dependencies: CreateDependencies,
  drawCode: () => string,
): Promise<Outcomes> {
  const commit = (batch: readonly Creation[]) => commitBatch(batch, dependencies, drawCode);
  try {
    return await commit(creations);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    if (creations.length === 1 && !(error instanceof UniqueViolation)) throw error;
  }
  // Nothing was written. Each creation gets its own transaction, so that only the culprit fails. A retry resolves
  // a taken key or code.
  const commitAlone = async (creation: Creation): Promise<CreateOutcome | Error> => {
    try {
      return (await retryOnUniqueViolation(() => commit([creation])))[0]!;
    } catch (error) {
      return error instanceof Error ? error : new Error('creation failed', { cause: error });
    }
  };
  return Promise.all(creations.map(commitAlone));
}

async function commitBatch(
  creations: readonly Creation[],
  dependencies: CreateDependencies,
  drawCode: () => string,
): Promise<Outcomes> {
  const commit = ({ checkCodes }: { checkCodes: boolean }): Promise<Outcomes> =>
    dependencies.db.tx(
      async (tx) => {
        const codes = checkCodes ? await findFreeCodes(tx, creations.length, drawCode) : [];
        const nextCode = () => codes.pop() ?? drawCode();
        const { rollback, outcomes } = await writeBatch(tx, creations, dependencies, nextCode);
        if (rollback) tx.rollback();
        return outcomes;
      },
      { keepPlans: true },
    );
  try {
    return await commit({ checkCodes: false });
  } catch (error) {
    if (!(error instanceof UniqueViolation) || error.constraint !== 'etch_code_key') throw error;
    return commit({ checkCodes: true });
  }
}

/** `rollback`: nothing was created, and a rejected request leaves no trace. */
async function writeBatch(
  tx: Tx,
  creations: readonly Creation[],
  dependencies: CreateDependencies,
  nextCode: () => string,
): Promise<{ rollback: boolean; outcomes: Outcomes }> {
  const { clock, promises } = dependencies;
  const accounts = creations.map(({ caller }) => caller.userId);
  const keyed = creations.flatMap(({ idempotency }) => idempotency ?? []);
  const entered = creations.flatMap(({ caller: { userId }, request: { challenge_id: challengeId } }) =>
    challengeId === undefined ? [] : { challengeId, userId },
  );
  // The statements are sent at once and run in this order. Allowances are locked first, by id, against deadlocks.
  const [buckets, bound, entries] = await Promise.all([
    lockBuckets(tx, 'etch', accounts, clock.now()),
    findBoundKeys(tx, keyed, clock.now()),
    findEntryTerms(tx, entered),
  ]);
  // Read the clock after every wait: the challenge must be open now.
  const found = { buckets, bound, entries };
  const { outcomes, created, keys } = decideBatch(creations, found, clock.now(), dependencies, nextCode);
  if (created.length === 0) return { rollback: true, outcomes };

  const etches = created.map(({ etch }) => etch);
  const [, given] = await Promise.all([
    insertEtches(tx, etches, keys, buckets),
    // Sign while the database writes; the promises leave after the commit.
    Promise.resolve().then(() => promises.give(created)),
  ]);
  created.forEach((outcome, index) => (outcome.promise = given[index]!));
  return { rollback: false, outcomes };
}

const COLUMNS = Object.keys(ETCH_COLUMNS) as (keyof typeof ETCH_COLUMNS)[];
const NAMES = raw(COLUMNS.join(', '));
/** The text around the values. Every creation uses it, so it is made once. */
const ARRAYS = [
  '',
  ...Object.values(ETCH_COLUMNS).map((type, at) => `::${type}[]${at < COLUMNS.length - 1 ? ', ' : ''}`),
];

export async function insertEtches(
  tx: Tx,
  etches: readonly NewEtch[],
  keys: readonly BoundKey[],
  buckets: ReadonlyMap<string, Bucket>,
): Promise<void> {
  const column = <Name extends keyof NewEtch>(name: Name): NewEtch[Name][] =>
    etches.map((etch) => etch[name]);
  const users = [...buckets.keys()];
  const statement = sql`
    with rows as (
      insert into etch (${NAMES})
      select * from unnest(${new Sql(ARRAYS, COLUMNS.map(column))})
    ), jobs as (
      insert into anchor_job (kind, etch_id, created_at)
      select 0, * from unnest(${column('id')}::uuid[], ${column('created_at')}::timestamptz[])
    ), bound as (
      insert into idempotency (user_id, key, endpoint, record_id, fingerprint)
      select * from unnest(
        ${keys.map((key) => key.user_id)}::uuid[], ${keys.map((key) => key.key)}::text[],
        ${keys.map((key) => key.endpoint)}::text[], ${keys.map((key) => key.record_id)}::uuid[],
        ${keys.map((key) => key.fingerprint)}::bytea[])
    ), queued as (
      insert into search_queue (etch_ids) values (${column('id')}::uuid[])
    )${counted(etches)}
    update allowance a set spent = v.spent, updated_at = v.at
    from unnest(
      ${users}::uuid[], ${users.map((user) => buckets.get(user)!.spent)}::float8[],
      ${users.map((user) => toTime(buckets.get(user)!.at))}::timestamptz[]) as v (user_id, spent, at)
    where a.user_id = v.user_id and a.user_id = any(${users}::uuid[]) and a.kind = 'etch'`;
  await tx.last(prepared(statement));
}

/** A different transaction may take a code first; then the insert fails. */
export async function findFreeCodes(tx: Tx, count: number, draw: () => string): Promise<string[]> {
  const free = new Set<string>();
  while (free.size < count) {
    const drawn = Array.from({ length: count - free.size }, draw);
    const rows = await tx.query<{ code: string }>(
      prepared(sql`
        select code from unnest(${drawn}::text[]) as d (code) where not exists (select from etch e where e.code = d.code)`),
    );
    for (const { code } of rows) free.add(code);
  }
  return [...free];
}

/** Locks rows of busy challenges last and by id, and updates each once. */
function counted(etches: readonly NewEtch[]): Sql {
  const counts = new Map<string, number>();
  for (const { challenge_id: id } of etches) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  if (counts.size === 0) return empty;
  const ids = [...counts.keys()];
  return sql`, locked as (
      select id from challenge_tally where id = any(${ids}::uuid[]) order by id for no key update
    ), counted as (
      update challenge_tally t set etch_count = t.etch_count + v.entries
      from locked join unnest(${ids}::uuid[], ${[...counts.values()]}::integer[]) as v (id, entries) on v.id = locked.id
      where t.id = locked.id
    )`;
}
