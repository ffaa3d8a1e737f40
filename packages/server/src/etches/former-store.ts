import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import type { AttestedBatch } from './row.ts';

export interface FormerAttestation {
  name: string;
  chainId: number;
  contract: string;
  schemaUid: string;
  commitment: AttestedBatch;
  tombstone: AttestedBatch | null;
}

type Row = AttestedBatch & {
  etch_id: string;
  kind: 0 | 1;
  chain: number;
  name: string;
  chain_id: number;
  contract: Buffer;
  schema_uid: Buffer;
};

const hex = (bytes: Buffer): string => `0x${bytes.toString('hex')}`;

export async function findFormer(
  db: Queryable,
  etchIds: readonly string[],
): Promise<Map<string, FormerAttestation[]>> {
  const rows = await db.query<Row>(
    prepared(sql`
    select l.etch_id, l.kind, l.proof, b.tree_version, b.root, b.tree_size, f.uid, f.anchored_at, t.tx_hash, t.sender,
      t.chain, c.name, c.chain_id, c.contract, c.schema_uid
    from batch_leaf l join former_attestation f on f.batch_id = l.batch_id join batch b on b.id = l.batch_id
    join former_tx t on t.id = f.tx_id join former_chain c on c.id = t.chain
    where l.etch_id = any(${[...etchIds]}::uuid[]) order by l.etch_id, t.chain, l.kind`),
  );
  const found = new Map<string, FormerAttestation[]>();
  for (const row of rows.filter(({ kind }) => kind === 0)) {
    const { name, chain_id: chainId, contract, schema_uid: schemaUid } = row;
    const tombstone =
      rows.find(({ etch_id, kind, chain }) => etch_id === row.etch_id && kind === 1 && chain === row.chain) ??
      null;
    const one = {
      name,
      chainId,
      contract: hex(contract),
      schemaUid: hex(schemaUid),
      commitment: row,
      tombstone,
    };
    found.set(row.etch_id, [...(found.get(row.etch_id) ?? []), one]);
  }
  return found;
}
