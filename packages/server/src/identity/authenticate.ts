// Turns a Bearer value (API key or session token) into a caller.
import sql from 'sql-template-tag';
import { type Db, prepared } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { coalesce } from '../platform/flow/coalesce.ts';
import {
  type AccountColumns,
  assuranceOf,
  type AuthorColumns,
  type Caller,
  hashApiKey,
  isApiKey,
  isVerified,
  type Scope,
} from './caller.ts';
import type { Issuer, People } from './issuer.ts';

interface KeyRow extends AccountColumns {
  hash: Buffer;
  key_id: string;
  scope: Scope;
  public_key: string | null;
}

export interface Authenticator {
  authenticate(header: string): Promise<Caller>;
}

export interface Sessions {
  issuer: Issuer;
  people: People;
}

/** Reads every credential from the database, so that a revocation counts at once on every replica. */
export function createAuthenticator(db: Db, sessions?: Sessions): Authenticator {
  const findKey = coalesce((hashes: readonly Buffer[]) => findActiveKeys(db, hashes), {
    slots: 2,
    most: 256,
    parallelFrom: 64,
  });
  return {
    async authenticate(header) {
      const token = bearerToken(header);
      if (token === undefined) throw unauthorized('send `Authorization: Bearer <API key or session token>`');
      if (!token.startsWith('svc_sk_')) return bySession(token, sessions);
      const row = isApiKey(token) ? await findKey(hashApiKey(token)) : undefined;
      if (!row) throw unauthorized('this API key is unknown or revoked');
      return callerOf(row, row.public_key, { type: 'api_key', keyId: row.key_id, scope: row.scope });
    },
  };
}

export const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1];

async function bySession(token: string, sessions: Sessions | undefined): Promise<Caller> {
  if (!sessions) {
    throw unauthorized(
      'this is not an API key, and session tokens are not accepted: no identity provider is set up (IDENTITY_ISSUER)',
    );
  }
  const session = await sessions.issuer.verify(token);
  return callerOf(await sessions.people.of(session, token), null, { type: 'session' });
}

export function callerOf(
  row: AccountColumns,
  publicKey: string | null,
  credential: Caller['credential'],
): Caller {
  return {
    userId: row.user_id,
    kind: row.kind,
    assurance: assuranceOf(row),
    verified: isVerified(row),
    publicKey,
    author: authorOf(row),
    suspendedFor: row.suspended_for,
    credential,
  };
}

async function findActiveKeys(db: Db, hashes: readonly Buffer[]): Promise<(KeyRow | undefined)[]> {
  const rows = await db.query<KeyRow>(
    prepared(sql`
    select k.hash, k.id as key_id, k.scope, a.id as user_id, a.username, a.display_name, a.kind, a.public_key,
           a.agent_domain, a.operator_id, a.social_handle, a.social_verified_at, a.suspended_for
    from api_key k join account a on a.id = k.user_id
    where k.hash = any(${hashes}::bytea[]) and k.revoked_at is null`),
  );
  const found = new Map(rows.map((row) => [row.hash.toString('hex'), row]));
  return hashes.map((hash) => found.get(hash.toString('hex')));
}

const unauthorized = (message: string): Failure => new Failure('unauthorized', message);

function authorOf(row: AuthorColumns): AuthorColumns {
  const { username, display_name, kind, agent_domain, operator_id, social_handle, social_verified_at } = row;
  return { username, display_name, kind, agent_domain, operator_id, social_handle, social_verified_at };
}
