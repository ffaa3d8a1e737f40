// Searches the chain for tombstones that the database does not know.
import sql from 'sql-template-tag';
import { readAttestationData } from '../anchoring/steps/read-back.ts';
import { listRelayers } from '../anchoring/index.ts';
import { askRange, blockAt, blockRange } from '../chain/block-range.ts';
import type { AttestationLog, Chain, Hex } from '../chain/port.ts';
import { toTime } from '../db/clock.ts';
import type { Db, Queryable } from '../db/db.ts';

export interface FoundTombstone {
  uid: Buffer;
  /** in the single scheme: the etch's hash */
  root: Buffer;
  tree_version: 0 | 1 | 2;
  tree_size: number;
  attested_at: string;
}

/** The ledger adopted the transaction, so the batch of `t` is a known tombstone. */
const KNOWN = sql`exists (select from batch b where b.root = t.root and b.kind = 1)`;

export const listUnmatched = (db: Queryable) =>
  db.query<FoundTombstone>(sql`
    select uid, root, tree_version, tree_size, attested_at from chain_tombstone t
    where state = 'unmatched' and not ${KNOWN} order by attested_at, uid`);

/** Requests to the node between two stored positions. */
const QUESTIONS = 20;

const bytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex');

/**
 * Searches final blocks. `new` continues from the last search or the ledger's last final block, `all` from the
 * ledger's first block.
 * @returns the number of new tombstones
 * @throws ChainUnavailable
 */
export async function searchTombstones(db: Db, chain: Chain, which: 'new' | 'all'): Promise<number> {
  const genesis = bytes((await chain.identity()).genesisHash);
  const final = (await chain.finalBlock()).number;
  const from = await firstBlock(db, chain, { which, genesis, final });
  const relayers = [...new Set<Hex>([chain.relayer, ...(await listRelayers(db))])];
  const range = blockRange(from, final);
  let found = 0;
  for (let done = range.at > range.to; !done;) {
    done = await askRange(range, QUESTIONS, async (first, last) => {
      found += await note(db, chain, relayers, await chain.attestationsIn(first, last, relayers));
    });
    if (which === 'new') await writeSearch(db, genesis, range.at - 1);
  }
  await writeSearch(db, genesis, final);
  return found;
}

/** The furthest position counts. */
const writeSearch = (db: Queryable, genesisHash: Buffer, readTo: number) =>
  db.query(sql`
    insert into tombstone_search as s (genesis_hash, read_to) values (${genesisHash}, ${readTo})
    on conflict (singleton) do update set genesis_hash = excluded.genesis_hash,
      read_to = case when s.genesis_hash = excluded.genesis_hash then greatest(s.read_to, excluded.read_to) else excluded.read_to end`);

async function firstBlock(
  db: Db,
  chain: Chain,
  { which, genesis, final }: { which: 'new' | 'all'; genesis: Buffer; final: number },
): Promise<number> {
  // A position on a different chain does not count.
  const before = await db.value<number | undefined>(
    sql`select read_to from tombstone_search where genesis_hash = ${genesis}`,
  );
  if (which === 'new' && before !== undefined) return before + 1;
  const furthest = which === 'new' ? sql`max(block_number)` : sql`min(block_number)`;
  const known = await db.value<number | null>(
    sql`select ${furthest} as known from anchor_tx where state = 'FINAL'`,
  );
  if (known !== null) return known;
  // Nothing was ever anchored.
  const oldest = await db.value<string | null>(sql`select min(created_at) as oldest from etch`);
  return oldest === null ? final + 1 : blockAt(chain, final, Math.floor(Date.parse(oldest) / 1000));
}

async function note(db: Db, chain: Chain, relayers: readonly Hex[], logs: readonly AttestationLog[]) {
  const found: FoundTombstone[] = [];
  for (const event of ['Attested', 'Revoked'] as const) {
    const uids = logs.flatMap((log) => (log.event === event ? [bytes(log.uid)] : []));
    // The ledger stores a revocation only as a retraction.
    const unknown = await db.column<Buffer>(sql`
      select uid from unnest(${uids}::bytea[]) as u (uid)
      where not exists (select from batch b where b.uid = u.uid and b.kind >= ${event === 'Attested' ? 0 : 1})
        and not exists (select from chain_tombstone t where t.uid = u.uid)`);
    for (const uid of unknown) {
      const tombstone = await readTombstone(chain, relayers, uid, event);
      if (tombstone) found.push(tombstone);
    }
  }
  if (found.length === 0) return 0;
  return db.countRows(sql`
    insert into chain_tombstone (uid, root, tree_version, tree_size, attested_at, state)
    select t.*, 'unmatched' from unnest(${found.map(({ uid }) => uid)}::bytea[],
      ${found.map(({ root }) => root)}::bytea[], ${found.map((one) => one.tree_version)}::smallint[],
      ${found.map((one) => one.tree_size)}::integer[], ${found.map((one) => one.attested_at)}::timestamptz[])
      as t (uid, root, tree_version, tree_size, attested_at)
    where not ${KNOWN} on conflict do nothing returning 1`);
}

/** Returns undefined if the attestation retracts nothing, or is on a fork. */
async function readTombstone(
  chain: Chain,
  relayers: readonly string[],
  uid: Buffer,
  event: AttestationLog['event'],
): Promise<FoundTombstone | undefined> {
  const attestation = await chain.attestation(`0x${uid.toString('hex')}`);
  if (!attestation || attestation.schema !== chain.schemaUid || !relayers.includes(attestation.attester))
    return undefined;
  const data = readAttestationData(attestation.data);
  if (!data) return undefined;
  const { root, kind, treeVersion, treeSize } = data;
  // A tree's attestation is never revoked.
  const retracts = event === 'Attested' ? kind === 1 : treeVersion === 0 && attestation.revocationTime > 0;
  if (!retracts) return undefined;
  const seconds = event === 'Attested' ? attestation.time : attestation.revocationTime;
  return {
    uid,
    root: Buffer.from(root),
    tree_version: treeVersion,
    tree_size: treeSize,
    attested_at: toTime(seconds * 1000),
  };
}
