// Warns when the relayer attested before an empty database was created: it may be the wrong database.
import sql from 'sql-template-tag';
import { LogSpan } from '@svc/verifier/requests';
import { NodeError } from '../chain/json-rpc.ts';
import type { Attestation, Chain } from '../chain/port.ts';
import { toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';

/** Requests to the node in one run. */
const QUESTIONS = 200;

interface EarlierLog {
  warn(fields: object, message: string): void;
}

/**
 * While the database is empty, searches backwards for an attestation by our relayer and stores it, so that each
 * start logs it.
 * @throws ChainUnavailable
 */
export function createEarlierSearch(db: Db, chain: Chain, log: EarlierLog): () => Promise<void> {
  let done = false;
  let next: number | undefined;
  const span = new LogSpan();

  return async () => {
    if (done) return;
    const known = await db.value<Buffer | undefined>(sql`select uid from earlier_attestation limit 1`);
    if (known) return finish(`0x${known.toString('hex')}`);
    const isEmpty = await db.value<boolean>(
      sql`select not exists (select from etch) and not exists (select from anchor_tx) as empty`,
    );
    if (!isEmpty || (await chain.minedNonce()) === 0) return finish(null);
    next ??= (await chain.head()).number;
    for (let question = 0; question < QUESTIONS && next >= 0; question++) {
      const from: number = Math.max(0, next - span.blocks + 1);
      try {
        const found = await newestIn(chain, from, next);
        if (found) {
          await db.query(sql`
            insert into earlier_attestation (uid, attested_at)
            values (${Buffer.from(found.uid.slice(2), 'hex')}, ${toTime(found.time * 1000)}) on conflict do nothing`);
          return finish(found.uid);
        }
        next = from - 1;
        span.accepted();
      } catch (error) {
        if (!(error instanceof NodeError) || !span.rejected(next - from + 1)) throw error;
      }
    }
    if (next < 0) finish(null);
  };

  function finish(uid: string | null): void {
    done = true;
    if (uid === null) return;
    log.warn(
      { uid, relayer: chain.relayer, schema: chain.schemaUid },
      'the relayer attested under this schema before this database was created: check DATABASE_URL (or DATA_DIR), or restore the backup; svc-admin chain check names the attestations',
    );
  }
}

async function newestIn(chain: Chain, from: number, to: number): Promise<Attestation | null> {
  const logs = await chain.attestationsIn(from, to, [chain.relayer]);
  const uid = logs.findLast(({ event }) => event === 'Attested')?.uid;
  return uid === undefined ? null : chain.attestation(uid);
}
