import { lockBuckets } from '../accounts/allowance-store.ts';
import { findBoundKeys } from '../accounts/idempotency-store.ts';
import { findEntryTerms } from '../challenges/store.ts';
import { DatabaseUnavailable, retryOnUniqueViolation, type Tx, UniqueViolation } from '../db/db.ts';
import { CODES, findFreeCodes, insertEtches } from './create-store.ts';
import type { CreateDependencies, Creation, Outcome } from './creation.ts';
import { decideBatch } from './decide-batch.ts';

type Outcomes = readonly (Outcome | Error)[];

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
  const commitAlone = async (creation: Creation): Promise<Outcome | Error> => {
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
    if (!(error instanceof UniqueViolation) || error.constraint !== CODES) throw error;
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
