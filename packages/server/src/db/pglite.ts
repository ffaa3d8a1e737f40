import { PGlite, type SerializerOptions } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import type { Sql } from 'sql-template-tag';
import { keepByteOrderMarks } from './byte-order-marks.ts';
import type { Db, Tx } from './db.ts';
import { lockDirectory } from './directory-lock.ts';
import { translate } from './failures.ts';
import { toParameter } from './parameters.ts';
import { PARSERS } from './types.ts';

export interface PgliteOptions {
  /** a directory of its own; in memory when absent */
  dataDir?: string;
  /** a dump of a data directory to begin with (tests) */
  loadDataDir?: Blob;
}

/** Our parameters are text already; these keep PGlite from converting them again. */
const asIs = (value: unknown): string => value as string;
const serializers: SerializerOptions = Object.fromEntries(Object.keys(PARSERS).map((oid) => [oid, asIs]));

/**
 * The embedded database. One process a directory: PGlite has no lock of its own, so one is taken here.
 * @throws DirectoryInUse
 */
export async function openPglite(options: PgliteOptions = {}): Promise<Db & { dump(): Promise<Blob> }> {
  const lock = options.dataDir === undefined ? undefined : await lockDirectory(options.dataDir);
  keepByteOrderMarks();
  let pglite: PGlite;
  try {
    pglite = await PGlite.create({
      ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
      ...(options.loadDataDir ? { loadDataDir: options.loadDataDir } : {}),
      extensions: { pg_trgm },
      parsers: PARSERS,
      serializers,
    });
    await pglite.exec("set timezone = 'UTC'; set datestyle = 'ISO'");
  } catch (error) {
    await lock?.release();
    throw error;
  }

  const run = async (on: Pick<PGlite, 'query'>, statement: Sql): Promise<never> => {
    try {
      const result = await on.query(statement.text, statement.values.map(toParameter));
      return result.rows as never;
    } catch (error) {
      throw translate(error);
    }
  };
  return {
    engine: 'pglite',
    query: (statement) => run(pglite, statement),
    dump: () => pglite.dumpDataDir('none'),
    async tx(work) {
      try {
        return await pglite.transaction(async (inner) => {
          const query: Tx['query'] = (statement) => run(inner, statement);
          const tx: Tx = { inTransaction: true, query, last: query };
          return work(tx);
        });
      } catch (error) {
        throw translate(error);
      }
    },
    async close() {
      await pglite.close();
      await lock?.release();
    },
  };
}
