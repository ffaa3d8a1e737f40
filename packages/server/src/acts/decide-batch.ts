// Decides the requests of one batch, one by one, in the order of the specification. Reads and writes no table.
import { randomUUID } from 'node:crypto';
import { canonicalString } from '@svc/protocol';
import { type Bucket, takeOne } from '../accounts/allowance-store.ts';
import { bindKey, type BoundKey, keyName, recordOf } from '../accounts/idempotency-store.ts';
import { entryDescription, entryRefusal } from '../challenges/view.ts';
import { entryName, type EntryTerms } from '../challenges/store.ts';
import { toTime } from '../db/clock.ts';
import { Failure } from '../platform/failure.ts';
import { encryptHidden } from '../etches/hidden-fields.ts';
import { repeatedInputs } from '../etches/row.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import { drawRandom } from '../platform/secrets/random.ts';
import { sha256 } from '../platform/secrets/signing-key.ts';
import type { Limits } from '../settings/config.ts';
import { type Created, type Creation, leadRefusal, type NewEtch, type CreateOutcome } from './creation.ts';

/** Each decision changes these rows for the next one. */
interface LockedRows {
  buckets: Map<string, Bucket>;
  bound: Map<string, BoundKey>;
  entries: Map<string, EntryTerms>;
}

/** Checks in the order of docs/specification.md#endpoints. */
export function decideBatch(
  creations: readonly Creation[],
  { buckets, bound, entries }: LockedRows,
  now: number,
  { keyring, limits }: { keyring: Keyring; limits: Limits },
  nextCode: () => string,
) {
  const created: Created[] = [];
  const keys: BoundKey[] = [];

  const decide = (creation: Creation): CreateOutcome | Error => {
    const { caller, idempotency } = creation;
    const earlier = idempotency && bound.get(keyName(idempotency.userId, idempotency.key));
    if (earlier) {
      const record = recordOf(keyring, idempotency, earlier);
      return record instanceof Error ? record : { id: record };
    }
    const terms = termsOf(creation, entries, now, limits);
    if (terms instanceof Error) return terms;
    const bucket = takeOne(buckets.get(caller.userId), creation.perDay, now, 'etches');
    if (bucket instanceof Error) return bucket;

    const etch = makeEtch(creation, terms, now, keyring, nextCode());
    const outcome = { id: etch.id, etch, content: creation.request.content, promise: null };
    created.push(outcome);
    buckets.set(caller.userId, bucket);
    if (terms.challenge_id !== null) {
      const name = entryName(terms.challenge_id, caller.userId);
      entries.set(name, { ...entries.get(name)!, entered: true });
    }
    if (idempotency) {
      const key = bindKey(keyring, idempotency, etch.id);
      keys.push(key);
      bound.set(keyName(key.user_id, key.key), key);
    }
    return outcome;
  };

  return { outcomes: creations.map(decide), created, keys };
}

type EtchTerms = Pick<
  NewEtch,
  'description' | 'category_id' | 'reveal_at' | 'challenge_id' | 'challenge_question'
>;

function termsOf({ caller, request }: Creation, entries: LockedRows['entries'], now: number, limits: Limits) {
  const { challenge_id: challengeId, reveal_at: revealAt, description = '', category_id } = request;
  if (challengeId === undefined) {
    const refusal =
      revealAt === undefined ? undefined : leadRefusal(revealAt, now, limits.minRevealLeadSeconds);
    return (
      refusal ?? {
        description,
        category_id,
        reveal_at: revealAt ?? null,
        challenge_id: null,
        challenge_question: null,
      }
    );
  }
  const challenge = entries.get(entryName(challengeId, caller.userId));
  if (!challenge) return new Failure('not_found', 'there is no challenge with this id');
  return (
    entryRefusal(challenge, now) ?? {
      description: entryDescription(challenge.question),
      category_id: challenge.category_id,
      reveal_at: challenge.reveal_at,
      challenge_id: challenge.id,
      challenge_question: challenge.question,
    }
  );
}

function makeEtch(
  { caller, request }: Creation,
  terms: EtchTerms,
  now: number,
  keyring: Keyring,
  code: string,
): NewEtch {
  const id = randomUUID();
  const createdAt = toTime(now);
  const salt = drawRandom(32);
  const canonical = canonicalString({
    userId: caller.userId,
    createdAt,
    salt: salt.toString('hex'),
    content: request.content,
  });
  const signature = request.signature === undefined ? null : Buffer.from(request.signature, 'hex');
  const hidden = {
    content: request.content,
    salt,
    signature,
    signature_key: signature && caller.publicKey,
  };
  const isSealed = request.mode === 'delayed';
  return {
    id,
    user_id: caller.userId,
    code,
    ...repeatedInputs(request),
    status: isSealed ? 'sealed' : 'revealed',
    hash: sha256(canonical),
    ...terms,
    created_at: createdAt,
    revealed_at: isSealed ? null : createdAt,
    sealed: isSealed ? encryptHidden(keyring, id, hidden) : null,
    ...(isSealed ? { content: null, salt: null, signature: null, signature_key: null } : hidden),
  };
}
