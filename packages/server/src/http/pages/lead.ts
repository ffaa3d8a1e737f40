import { CODE, isUuid } from '@svc/contract';
import { isHex } from '@svc/protocol';
import { findTree } from '../../anchoring/index.ts';
import { findChallengeByCode, findChallenges } from '../../challenges/store.ts';
import { Failure } from '../../platform/failure.ts';
import { findAccountByUsername } from '../../records/record-store.ts';
import type { PageParts } from './parts.ts';
import { localPath } from './session.ts';

const CODE_FORM = new RegExp(CODE, 'i');

/** Reads a URL of this service, `@name`, an id, a hash (of an etch, then of a tree), or a code. */
export async function findLead(parts: PageParts, typed: string): Promise<string | undefined> {
  const q = typed.trim();
  const { db } = parts.facts;
  const { reader } = parts.etches;
  if (URL.canParse(q) && new URL(q).origin === new URL(parts.site.baseUrl).origin) {
    const { pathname, search } = new URL(q);
    return localPath(pathname + search);
  }
  const name = /^@([a-z0-9_]{3,80})$/i.exec(q)?.[1]?.toLowerCase();
  if (name !== undefined) {
    return (await findAccountByUsername(db, name)) && `/u/${name}`;
  }
  if (isUuid(q)) {
    const id = q.toLowerCase();
    if (await orNothing(reader.get(id))) return `/e/${id}`;
    return (await findChallenges(db, [id]))[0] && `/ch/${id}`;
  }
  const hash = q.replace(/^0x/i, '').toLowerCase();
  if (isHex(hash, 32)) {
    const etch = await orNothing(reader.getByHash(hash));
    if (etch) return `/e/${etch.id}`;
    const tree = (await findTree(db, hash, 0)) ?? (await findTree(db, hash, 1));
    return tree ? `/trees/${hash}` : undefined;
  }
  if (!CODE_FORM.test(q)) return undefined;
  const etch = await orNothing(reader.getByCode(q));
  if (etch) return `/e/${etch.id}`;
  const challenge = await findChallengeByCode(db, q);
  return challenge && `/ch/${challenge.id}`;
}

async function orNothing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  }
}
