// Binds an Idempotency-Key of an account to the record that its first request made.
import sql from 'sql-template-tag';
import type { TObject } from 'typebox';
import { toTime } from '../db/clock.ts';
import { prepared, type Tx } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';

/** A key is valid for both endpoints (docs/specification.md#idempotency). */
export interface KeyedRequest {
  userId: string;
  key: string;
  endpoint: 'POST /etches' | 'POST /challenges';
  /** known fields in a fixed order */
  request: string;
}

export interface BoundKey {
  user_id: string;
  key: string;
  endpoint: string;
  record_id: string;
  fingerprint: Buffer;
  /** different requests in the last hour, while the etch was hidden */
  guesses: number;
}

/**
 * The fields of a request, so that the JSON's spelling does not matter (docs/specification.md#idempotency). A field of
 * the schema that is not among the first ones follows with its name, if the request has it.
 * @param first the fields whose order stored fingerprints depend on
 */
export function requestText<Request extends object>(
  schema: TObject,
  first: readonly (keyof Request & string)[],
  request: Request,
): string {
  const names: readonly string[] = first;
  const further = Object.keys(schema.properties)
    .filter((name) => !names.includes(name) && valueOf(request, name) !== null)
    .sort();
  const texts = first.map((name) => valueOf(request, name));
  return JSON.stringify([...texts, ...further.map((name) => [name, valueOf(request, name)])]);
}

const valueOf = (request: object, name: string): unknown =>
  (request as Record<string, unknown>)[name] ?? null;

/** More guesses an hour about a hidden etch are compared slowly. */
export const FAST_GUESSES = 10;

export function bindKey(keyring: Keyring, keyed: KeyedRequest, recordId: string): BoundKey {
  return {
    user_id: keyed.userId,
    key: keyed.key,
    endpoint: keyed.endpoint,
    record_id: recordId,
    fingerprint: keyring.mac('fingerprint', keyed.request),
    guesses: 0,
  };
}

export class KeyUsed extends Failure {
  readonly bound: BoundKey | undefined;
  constructor(bound?: BoundKey) {
    super(
      'conflict',
      'this Idempotency-Key belongs to an earlier request that differs; nothing was created now. A retry must send exactly the same fields and times; a new key creates a second record',
    );
    this.bound = bound;
  }
}

export function recordOf(keyring: Keyring, keyed: KeyedRequest, bound: BoundKey): string | Failure {
  if (bound.endpoint !== keyed.endpoint) return new KeyUsed();
  const spent = bound.guesses >= FAST_GUESSES;
  if (!spent && keyring.verifyMac('fingerprint', keyed.request, bound.fingerprint)) return bound.record_id;
  return new KeyUsed(bound);
}

export const keyName = (userId: string, key: string): string => `${userId}|${key}`;

export const HOUR_MS = 3_600_000;

/** Runs after the buckets are locked, so it sees earlier commits of the same endpoint. */
export async function findBoundKeys(
  tx: Tx,
  keys: readonly Pick<KeyedRequest, 'userId' | 'key'>[],
  now: number,
): Promise<Map<string, BoundKey>> {
  if (keys.length === 0) return new Map();
  // `limit 1` forces the index.
  const find = sql`
    select i.user_id, i.key, i.endpoint, i.record_id, i.fingerprint,
      (select count(*)::int from idempotency_guess g
        where g.user_id = i.user_id and g.key = i.key and g.tried_at > ${toTime(now - HOUR_MS)}) as guesses
    from unnest(${keys.map(({ userId }) => userId)}::uuid[], ${keys.map(({ key }) => key)}::text[]) as v (user_id, key)
    cross join lateral (select * from idempotency where user_id = v.user_id and key = v.key limit 1) i`;
  const rows = await tx.query<BoundKey>(prepared(find));
  return new Map(rows.map((row) => [keyName(row.user_id, row.key), row]));
}

export const insertBoundKey = (tx: Tx, bound: BoundKey) =>
  tx.query(sql`
    insert into idempotency (user_id, key, endpoint, record_id, fingerprint)
    values (${bound.user_id}, ${bound.key}, ${bound.endpoint}, ${bound.record_id}, ${bound.fingerprint})`);
