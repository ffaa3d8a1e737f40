import { bytesToHex, etchLeaf, foldProof, splitProof } from '@svc/protocol';
import sql from 'sql-template-tag';
import { parseTransaction } from 'viem';
import { expect } from 'vitest';
import type { Db } from '../../packages/server/src/db/db.ts';
import { type Attested, attestationsOf, type LedgerChain } from '../chain/attestations.ts';

export interface LedgerOptions {
  users?: readonly string[];
  /** attestations by the relayer's key that do not count */
  beside?: number;
  /** some etches are equal, so a root may be attested more than once */
  equals?: boolean;
  /**
   * the chain replaced blocks, maybe with earlier times: an attestation in the second of creation is early enough, an
   * earlier one is void
   */
  remade?: boolean;
}

export async function auditLedger(
  db: Db,
  chain: LedgerChain,
  options: LedgerOptions = {},
): Promise<{ attestations: number }> {
  const attested = await attestationsOf(chain);
  expect(await ledgerFaults(db, attested, options)).toEqual([]);
  return { attestations: attested.length };
}

export async function ledgerFaults(
  db: Db,
  attested: readonly Attested[],
  options: LedgerOptions,
): Promise<string[]> {
  return [
    ...(await leafFaults(db, attested, options)),
    ...(await payloadFaults(db)),
    ...(await chainFaults(db, attested, options)),
  ];
}

type Batch = { kind: 0 | 1; root: string; uid: string | null; anchored_at: string | null };
interface Leaf extends Omit<Batch, 'kind'>, Record<'id' | 'user_id' | 'hash' | 'created_at', string> {
  kind: 0 | 1 | null;
  retracted: boolean;
  proof: Buffer;
  tree_version: 0 | 1 | 2;
}

async function leafFaults(
  db: Db,
  attested: readonly Attested[],
  { remade = false, users }: LedgerOptions,
): Promise<string[]> {
  const leaves = await db.query<Leaf>(sql`
    select e.id, e.user_id, encode(e.hash, 'hex') as hash, e.created_at, e.status = 'retracted' as retracted,
      l.kind, l.proof, b.tree_version, encode(b.root, 'hex') as root, '0x' || encode(b.uid, 'hex') as uid, b.anchored_at
    from etch e
    left join batch_leaf l on l.etch_id = e.id left join batch b on b.id = l.batch_id
    where (${users ?? null}::uuid[] is null or e.user_id = any(${users ?? null}::uuid[]))
      and not exists (select from anchor_job j where j.etch_id = e.id and j.halted is not null)`);
  const onChain = new Map(attested.map((found) => [found.uid, found]));
  const faults: string[] = [];
  const kinds = new Map<string, number[]>();
  for (const leaf of leaves) {
    const { id, kind, tree_version: version } = leaf;
    const seen = kinds.get(id) ?? [];
    kinds.set(id, seen);
    if (kind === null) continue;
    seen.push(kind);
    if (leaf.anchored_at === null || leaf.uid === null) {
      faults.push(`${id}: its tree of kind ${kind} is not anchored`);
      continue;
    }
    const first = version === 0 ? undefined : etchLeaf(version, leaf.user_id, leaf.hash);
    const root = first ? bytesToHex(foldProof(first, splitProof(leaf.proof))) : leaf.hash;
    if (leaf.root !== root || (version === 0 && leaf.proof.length > 0))
      faults.push(`${id}: does not fold to its root`);
    const found = onChain.get(leaf.uid);
    if (!found) continue;
    // A single etch is retracted by revoking its attestation.
    const isRevocation = kind === 1 && version === 0;
    if (found.root !== leaf.root || found.kind !== (isRevocation ? 0 : kind))
      faults.push(`${id}: attested is something else`);
    if (!remade && found.time * 1000 < Date.parse(leaf.created_at))
      faults.push(`${id}: attested before it was created`);
    if (version === 0 && leaf.retracted !== found.revokedAt > 0) faults.push(`${id}: revoked or not`);
    if (Date.parse(leaf.anchored_at) !== (isRevocation ? found.revokedAt : found.time) * 1000)
      faults.push(`${id}: another time on the chain`);
  }
  for (const { id, retracted } of leaves) {
    const needed = retracted ? '0,1' : '0';
    const found = kinds.get(id)!.sort().join() || 'none';
    if (found !== needed) faults.push(`${id}: trees of kinds ${found}, not ${needed}`);
  }
  return faults;
}

async function payloadFaults(db: Db): Promise<string[]> {
  const rows = await db.query<{ raw: Buffer; calldata: Buffer; nonce: number; max_fee_per_gas: string }>(
    sql`select a.raw, t.calldata, t.nonce, a.max_fee_per_gas from tx_attempt a join anchor_tx t on t.id = a.tx_id`,
  );
  const faults: string[] = [];
  for (const { raw, calldata, nonce, max_fee_per_gas } of rows) {
    const signed = parseTransaction(`0x${raw.toString('hex')}`);
    if (signed.data !== `0x${calldata.toString('hex')}`)
      faults.push(`nonce ${nonce}: another payload was signed`);
    if ((signed.nonce ?? 0) !== nonce) faults.push(`nonce ${nonce} was signed as ${signed.nonce}`);
    if (signed.maxFeePerGas! > 100n * 10n ** 9n || BigInt(max_fee_per_gas) > 100n * 10n ** 9n)
      faults.push(`nonce ${nonce}: above the fee cap`);
  }
  return faults;
}

async function chainFaults(
  db: Db,
  attested: readonly Attested[],
  { beside = 0, equals = false, remade = false }: LedgerOptions,
): Promise<string[]> {
  const faults: string[] = [];
  const batches = await db.query<Batch & { tree_version: number; tree_size: number; newest: string }>(sql`
    select encode(b.root, 'hex') as root, '0x' || encode(b.uid, 'hex') as uid, b.kind, b.tree_version, b.tree_size, b.anchored_at,
      (select max(case when b.kind = 0 then e.created_at else e.retracted_at end)
        from batch_leaf l join etch e on e.id = l.etch_id where l.batch_id = b.id) as newest
    from batch b where not (b.kind = 1 and b.tree_version = 0)`);
  const byUid = new Map(batches.map((batch) => [batch.uid ?? 'none', batch]));
  const tooEarly = new Set(
    attested.filter((found) => batches.some((batch) => isTooEarly(found, batch))).map(({ txHash }) => txHash),
  );
  const seen = new Map<string, number>();
  let unknown = 0;
  for (const found of attested) {
    const name = `${found.kind} ${found.root}`;
    const batch = byUid.get(found.uid);
    if (!batch && remade && tooEarly.has(found.txHash)) continue;
    if (!batch) {
      unknown++;
      continue;
    }
    seen.set(name, (seen.get(name) ?? 0) + 1);
    byUid.delete(found.uid);
    const same =
      batch.root === found.root &&
      batch.kind === found.kind &&
      batch.tree_version === found.treeVersion &&
      batch.tree_size === found.treeSize &&
      batch.anchored_at !== null &&
      Date.parse(batch.anchored_at) === found.time * 1000;
    if (!same) faults.push(`${found.uid}: the chain and the database disagree`);
    if (remade ? isTooEarly(found, batch) : found.time * 1000 < Date.parse(batch.newest))
      faults.push(`${found.uid}: attested before something in it was`);
  }
  if (unknown !== beside) faults.push(`${unknown} attestations are not in the database`);
  for (const uid of byUid.keys()) faults.push(`dangling: ${uid}`);
  for (const [name, times] of seen)
    if (times > 1 && !equals) faults.push(`root ${name} was attested ${times} times`);
  return faults;
}

function isTooEarly(found: Attested, batch: { root: string; kind: number; newest: string }): boolean {
  return (
    batch.kind === found.kind &&
    batch.root === found.root &&
    found.time < Math.floor(Date.parse(batch.newest) / 1000)
  );
}
