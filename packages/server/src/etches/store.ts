// Reads etches with their author and both trees. The hot reads use prepared statements.
import sql, { raw, type Sql } from 'sql-template-tag';
import { type Db, prepared, type Queryable } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { coalesce } from '../platform/flow/coalesce.ts';
import { type AttestedBatch, ETCH_COLUMNS, type EtchRow } from './row.ts';
import type { ChainStateRow, FinalAttestations } from './chain-view.ts';

type FlatRow = Omit<EtchRow, 'commitment' | 'tombstone'> & {
  [Column in keyof AttestedBatch as `c_${Column}` | `t_${Column}`]: AttestedBatch[Column] | null;
};

const COLUMNS = raw(
  Object.keys(ETCH_COLUMNS)
    .map((name) => `e.${name}`)
    .join(', '),
);

function selectEtches(rest: Sql): Sql {
  return sql`
    select ${COLUMNS}, e.retracted_at,
      (select question from challenge where id = e.challenge_id) as challenge_question,
      case when e.status = 'retracted' then (select taken_down from erasure where etch_id = e.id) end as taken_down,
      a.username, a.display_name, a.social_handle, a.social_verified_at, a.kind, a.agent_domain, a.operator_id,
      cb.tree_version as c_tree_version, cb.root as c_root, cb.tree_size as c_tree_size, cl.proof as c_proof,
      cb.uid as c_uid, cb.anchored_at as c_anchored_at, ct.tx_hash as c_tx_hash, ct.sender as c_sender,
      tb.tree_version as t_tree_version, tb.root as t_root, tb.tree_size as t_tree_size, tl.proof as t_proof,
      tb.uid as t_uid, tb.anchored_at as t_anchored_at, tt.tx_hash as t_tx_hash, tt.sender as t_sender,
      (select failing_since from chain_state) as failing_since
    from etch e
    join account a on a.id = e.user_id
    left join batch_leaf cl on cl.kind = 0 and cl.etch_id = e.id
    left join batch cb on cb.id = cl.batch_id
    left join anchor_tx ct on ct.id = cb.tx_id
    left join batch_leaf tl on tl.kind = 1 and tl.etch_id = e.id
    left join batch tb on tb.id = tl.batch_id
    left join anchor_tx tt on tt.id = tb.tx_id
    ${rest}`;
}

export const queryEtches = async (db: Queryable, rest: Sql): Promise<EtchRow[]> =>
  (await db.query<FlatRow>(selectEtches(rest))).map(toEtchRow);

export const queryHotEtches = async (db: Queryable, rest: Sql): Promise<EtchRow[]> =>
  (await db.query<FlatRow>(prepared(selectEtches(rest)))).map(toEtchRow);

export async function findEtches(db: Queryable, ids: readonly string[]): Promise<(EtchRow | undefined)[]> {
  if (ids.length === 0) return [];
  const rows = await queryHotEtches(db, sql`where e.id = any(${[...new Set(ids)]}::uuid[])`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

export async function findEtchByCode(db: Queryable, code: string): Promise<EtchRow | undefined> {
  const [row] = await queryHotEtches(db, sql`where e.code = ${code.toLowerCase()}`);
  return row;
}

/** Reads that arrive together share a query and see every acknowledged write. */
export function createEtchReader(db: Db) {
  const find = coalesce((ids: readonly string[]) => findEtches(db, ids), {
    slots: 2,
    most: 128,
    parallelFrom: 64,
    gathers: true,
  });
  const present = (row: EtchRow | undefined, problem: string): EtchRow => {
    if (!row) throw new Failure('not_found', problem);
    return row;
  };
  return {
    get: async (id: string) => present(await find(id), 'there is no etch with this id'),
    async getByHash(hash: string) {
      const which = sql`where e.hash = ${Buffer.from(hash, 'hex')} order by e.created_at limit 1`;
      return present((await queryHotEtches(db, which))[0], 'no etch has this hash');
    },
    getByCode: async (code: string) =>
      present(await findEtchByCode(db, code), 'there is no etch with this code'),
  };
}

export type EtchReader = ReturnType<typeof createEtchReader>;

const toEtchRow = (row: FlatRow): EtchRow =>
  Object.assign(row, { commitment: toBatch(row, 'c'), tombstone: toBatch(row, 't') });

function toBatch(row: FlatRow, side: 'c' | 't'): AttestedBatch | null {
  const treeVersion = row[`${side}_tree_version`];
  if (treeVersion === null) return null;
  return {
    tree_version: treeVersion,
    root: row[`${side}_root`]!,
    tree_size: row[`${side}_tree_size`]!,
    proof: row[`${side}_proof`]!,
    uid: row[`${side}_uid`],
    anchored_at: row[`${side}_anchored_at`],
    tx_hash: row[`${side}_tx_hash`],
    sender: row[`${side}_sender`]!,
  };
}

type EtchStateRow = ChainStateRow & FinalAttestations & { id: string };

export const findEtchStates = (db: Queryable, ids: readonly string[]) =>
  db.query<EtchStateRow>(sql`
    select e.id, e.status, e.reveal_at, e.created_at, e.retracted_at,
      cb.anchored_at is not null as anchored, tb.anchored_at is not null as revoked,
      (select failing_since from chain_state) as failing_since
    from etch e
    left join batch_leaf cl on cl.kind = 0 and cl.etch_id = e.id
    left join batch cb on cb.id = cl.batch_id
    left join batch_leaf tl on tl.kind = 1 and tl.etch_id = e.id
    left join batch tb on tb.id = tl.batch_id
    where e.id = any(${ids}::uuid[])`);

export interface FormerChain {
  leftAt: string;
  chainId: number;
  contract: string;
  schemaUid: string;
  relayers: string[];
}

export const listFormerChains = (db: Queryable) =>
  db.query<FormerChain>(sql`
    select c.left_at as "leftAt", c.chain_id as "chainId", '0x' || encode(c.contract, 'hex') as contract,
      '0x' || encode(c.schema_uid, 'hex') as "schemaUid", array_agg(distinct '0x' || encode(t.sender, 'hex')) as relayers
    from former_chain c join former_tx t on t.chain = c.id group by c.id order by c.id`);

export interface FormerAttestation {
  name: string;
  chainId: number;
  contract: string;
  schemaUid: string;
  commitment: AttestedBatch;
  tombstone: AttestedBatch | null;
}

type Row = AttestedBatch &
  Omit<FormerAttestation, 'commitment' | 'tombstone'> & { etch_id: string; kind: 0 | 1; chain: number };

export async function findFormer(db: Queryable, etchIds: readonly string[]) {
  const rows = await db.query<Row>(
    prepared(sql`
    select l.etch_id, l.kind, l.proof, b.tree_version, b.root, b.tree_size, f.uid, f.anchored_at, t.tx_hash, t.sender,
      t.chain, c.name, c.chain_id as "chainId",
      '0x' || encode(c.contract, 'hex') as contract, '0x' || encode(c.schema_uid, 'hex') as "schemaUid"
    from batch_leaf l join former_attestation f on f.batch_id = l.batch_id join batch b on b.id = l.batch_id
    join former_tx t on t.id = f.tx_id join former_chain c on c.id = t.chain
    where l.etch_id = any(${[...etchIds]}::uuid[]) order by l.etch_id, t.chain, l.kind`),
  );
  const found = new Map<string, FormerAttestation[]>();
  for (const row of rows.filter(({ kind }) => kind === 0)) {
    const { name, chainId, contract, schemaUid } = row;
    const tombstone =
      rows.find(({ etch_id, kind, chain }) => etch_id === row.etch_id && kind === 1 && chain === row.chain) ??
      null;
    const one = { name, chainId, contract, schemaUid, commitment: row, tombstone };
    found.set(row.etch_id, [...(found.get(row.etch_id) ?? []), one]);
  }
  return found;
}
