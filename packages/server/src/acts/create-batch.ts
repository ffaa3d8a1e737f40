import { lockBuckets } from '../accounts/allowance-store.ts';
import { type Bucket, takeOne } from '../accounts/allowance.ts';
import { findBoundKeys } from '../accounts/idempotency-store.ts';
import { bindKey, type BoundKey, keyName, recordOf } from '../accounts/idempotency.ts';
import { entryDescription, entryRefusal } from '../challenges/entry.ts';
import { type EntryTerms, findEntryTerms } from '../challenges/store.ts';
import type { Tx } from '../db/db.ts';
import { Failure } from '../errors/failure.ts';
import type { Promises } from '../etches/promise.ts';
import { insertEtches, type NewEtch } from './create-store.ts';
import type { CreateDependencies, Creation, EtchTerms, MakeEtch, Outcome } from './creation.ts';
import { leadRefusal } from './lead-time.ts';

/**
 * Decides and writes creations in one transaction: the accounts' buckets are locked first (in one order, so
 * that transactions cannot wait for each other), then idempotency, then what depends on the clock, then the rows.
 */
export async function writeCreations(
  tx: Tx,
  creations: readonly Creation[],
  dependencies: CreateDependencies,
  makeEtch: MakeEtch,
): Promise<(Outcome | Error)[]> {
  const { clock } = dependencies;
  const accounts = creations.map(({ caller }) => caller.userId);
  const keyed = creations.flatMap(({ idempotency }) => idempotency ?? []);
  // Asked in one go and run in this order: each sees what was committed before the locks were had.
  const [buckets, known, entries] = await Promise.all([
    lockBuckets(tx, 'etch', accounts, clock.now()),
    findBoundKeys(tx, keyed, clock.now()),
    findEntries(tx, creations),
  ]);
  // Read after every wait: an etch is made in the very moment for which its challenge was found open.
  const round = new Round(dependencies, makeEtch, { buckets, known, entries }, clock.now());
  const outcomes = creations.map((creation) => round.decide(creation));
  if (round.etches.length === 0) return outcomes;
  await Promise.all([
    insertEtches(tx, round.etches, round.keys, round.buckets),
    promiseAll(creations, outcomes, dependencies.promises),
  ]);
  return outcomes;
}

/** Signs once for the whole batch while the database writes it. No promise leaves before the commit. */
async function promiseAll(
  creations: readonly Creation[],
  outcomes: readonly (Outcome | Error)[],
  promises: Promises,
): Promise<void> {
  const made = outcomes.flatMap((outcome, index) =>
    'etch' in outcome ? [{ outcome, content: creations[index]!.request.content }] : [],
  );
  // The statement leaves first.
  await Promise.resolve();
  const given = await promises.give(made.map(({ outcome, content }) => ({ etch: outcome.etch, content })));
  made.forEach(({ outcome }, index) => {
    outcome.promise = given[index]!;
  });
}

/** One more query, and only when somebody enters a challenge. */
async function findEntries(tx: Tx, creations: readonly Creation[]): Promise<Map<string, EntryTerms>> {
  const wanted = creations.flatMap(({ caller: { userId }, request: { challenge_id: challengeId } }) =>
    challengeId === undefined ? [] : { challengeId, userId },
  );
  if (wanted.length === 0) return new Map();
  const found = await findEntryTerms(tx, wanted);
  return new Map(
    wanted.flatMap(({ challengeId, userId }, index) => {
      const terms = found[index];
      return terms ? [[entryName(challengeId, userId), terms] as const] : [];
    }),
  );
}

/** What was found before the decisions. */
interface Found {
  buckets: Map<string, Bucket>;
  known: Map<string, BoundKey>;
  entries: Map<string, EntryTerms>;
}

/** One pass over the creations of a transaction; what one takes, binds or enters, the next one sees. */
class Round {
  readonly etches: NewEtch[] = [];
  readonly keys: BoundKey[] = [];
  readonly buckets: Map<string, Bucket>;
  private readonly dependencies: CreateDependencies;
  private readonly makeEtch: MakeEtch;
  private readonly known: Map<string, BoundKey>;
  private readonly entries: Map<string, EntryTerms>;
  private readonly now: number;

  constructor(
    dependencies: CreateDependencies,
    makeEtch: MakeEtch,
    { buckets, known, entries }: Found,
    now: number,
  ) {
    this.dependencies = dependencies;
    this.makeEtch = makeEtch;
    this.buckets = buckets;
    this.known = known;
    this.entries = entries;
    this.now = now;
  }

  decide(creation: Creation): Outcome | Error {
    const { idempotency } = creation;
    const bound = idempotency && this.known.get(keyName(idempotency.userId, idempotency.key));
    if (bound) {
      const record = recordOf(this.dependencies.keyring, idempotency, bound);
      return record instanceof Error ? record : { id: record };
    }
    const terms = this.termsOf(creation);
    if (terms instanceof Error) return terms;
    const { userId } = creation.caller;
    const bucket = takeOne(this.buckets.get(userId), creation.perDay, this.now, 'etches');
    if (bucket instanceof Error) return bucket;

    this.buckets.set(userId, bucket);
    const etch = this.makeEtch(creation, terms, this.now);
    this.etches.push(etch);
    if (etch.challenge_id !== null) this.enter(etch.challenge_id, userId);
    if (idempotency) {
      const key = bindKey(this.dependencies.keyring, idempotency, etch.id);
      this.keys.push(key);
      this.known.set(keyName(key.user_id, key.key), key);
    }
    return { id: etch.id, etch };
  }

  private termsOf({ caller, request }: Creation): EtchTerms | Error {
    const { challenge_id: challengeId, reveal_at: revealAt, description = '', category_id } = request;
    if (challengeId === undefined) {
      const lead = this.dependencies.limits.minRevealLeadSeconds;
      const refusal = revealAt === undefined ? undefined : leadRefusal(revealAt, this.now, lead);
      if (refusal) return refusal;
      return {
        description,
        category_id,
        reveal_at: revealAt ?? null,
        challenge_id: null,
        challenge_question: null,
      };
    }
    const challenge = this.entries.get(entryName(challengeId, caller.userId));
    if (!challenge) return new Failure('not_found', 'there is no challenge with this id');
    return (
      entryRefusal(challenge, this.now) ?? {
        description: entryDescription(challenge.question),
        category_id: challenge.category_id,
        reveal_at: challenge.reveal_at,
        challenge_id: challenge.id,
        challenge_question: challenge.question,
      }
    );
  }

  private enter(challengeId: string, userId: string): void {
    const name = entryName(challengeId, userId);
    this.entries.set(name, { ...this.entries.get(name)!, entered: true });
  }
}

function entryName(challengeId: string, userId: string): string {
  return `${challengeId}|${userId}`;
}
