import type { Db } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { coalesce } from '../platform/flow/coalesce.ts';
import { findEtchByCode, findEtchByHash, findEtches } from './store.ts';

/** Reads that arrive together share a query and see every acknowledged write. */
export function createEtchReader(db: Db) {
  const find = coalesce((ids: readonly string[]) => findEtches(db, ids), {
    slots: 2,
    most: 128,
    parallelFrom: 64,
    gathers: true,
  });
  return {
    async get(id: string) {
      const row = await find(id);
      if (!row) throw new Failure('not_found', 'there is no etch with this id');
      return row;
    },
    async getByHash(hash: string) {
      const row = await findEtchByHash(db, Buffer.from(hash, 'hex'));
      if (!row) throw new Failure('not_found', 'no etch has this hash');
      return row;
    },
    async getByCode(code: string) {
      const row = await findEtchByCode(db, code);
      if (!row) throw new Failure('not_found', 'there is no etch with this code');
      return row;
    },
  };
}

export type EtchReader = ReturnType<typeof createEtchReader>;
