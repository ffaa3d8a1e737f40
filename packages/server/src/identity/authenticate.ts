import sql from 'sql-template-tag';
import { coalesce } from '../db/coalesce.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../failure.ts';
import { hashApiKey, isApiKey, type Scope } from './api-key.ts';
import { assuranceOf, type AuthorColumns, type Caller, isVerified } from './caller.ts';

interface KeyRow extends AuthorColumns {
  hash: Buffer;
  key_id: string;
  scope: Scope;
  user_id: string;
  public_key: string | null;
}

export interface Authenticator {
  /** The caller behind an `Authorization` header. @throws Failure unauthorized */
  authenticate(header: string): Promise<Caller>;
}

/**
 * Every request asks the database, so that a revocation holds at once on every replica; requests that arrive
 * together share one query.
 */
export function createAuthenticator(db: Db): Authenticator {
  const findKey = coalesce((hashes: readonly Buffer[]) => findActiveKeys(db, hashes), {
    slots: 2,
    most: 256,
  });
  return {
    async authenticate(header) {
      const [, token] = /^Bearer +([^\s]+) *$/i.exec(header) ?? [];
      if (token === undefined) throw unauthorized('send `Authorization: Bearer <API key>`');
      if (!token.startsWith('svc_sk_')) throw unauthorized('this is not an API key of this service');
      const row = isApiKey(token) ? await findKey(hashApiKey(token)) : undefined;
      if (!row) throw unauthorized('this API key is unknown or revoked');
      return {
        userId: row.user_id,
        kind: row.kind,
        assurance: assuranceOf(row),
        verified: isVerified(row),
        publicKey: row.public_key,
        author: authorOf(row),
        credential: { type: 'api_key', keyId: row.key_id, scope: row.scope },
      };
    },
  };
}

async function findActiveKeys(db: Db, hashes: readonly Buffer[]): Promise<(KeyRow | undefined)[]> {
  const rows = await db.query<KeyRow>(sql`
    select k.hash, k.id as key_id, k.scope, a.id as user_id, a.username, a.display_name, a.kind, a.public_key,
           a.agent_domain, a.operator_id, a.social_handle, a.social_verified_at
    from api_key k join account a on a.id = k.user_id
    where k.hash = any(${hashes}::bytea[]) and k.revoked_at is null`);
  const found = new Map(rows.map((row) => [row.hash.toString('hex'), row]));
  return hashes.map((hash) => found.get(hash.toString('hex')));
}

function unauthorized(message: string): Failure {
  return new Failure('unauthorized', message);
}

function authorOf(row: AuthorColumns): AuthorColumns {
  const { username, display_name, kind, agent_domain, operator_id, social_handle, social_verified_at } = row;
  return { username, display_name, kind, agent_domain, operator_id, social_handle, social_verified_at };
}
