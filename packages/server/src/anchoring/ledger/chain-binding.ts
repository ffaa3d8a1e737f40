// Binds the database to one chain and stores the state of anchoring. Another chain is rejected.
import sql from 'sql-template-tag';
import type { Chain, Hex } from '../../chain/port.ts';
import type { Db, Queryable, Tx } from '../../db/db.ts';
import type { Problems } from '../problems.ts';
import { fromHex, hex } from './bytes.ts';
import { requeue } from './queue.ts';

export class AnotherChain extends Error {
  override name = 'AnotherChain';
}

interface Remembered {
  chainId: number | null;
  genesis: Hex | null;
  contract: Hex | null;
  schemaUid: Hex | null;
}

/**
 * Binds a new database to its chain, and rejects other chains later. If the devnet started again from block 0, all
 * transactions return to SENT.
 * @returns `new` when bound now, `reset` when the devnet started again
 * @throws AnotherChain, WrongSetting, ChainUnavailable
 */
export async function ensureSameChain(
  db: Db,
  chain: Chain,
  options: { devnet: boolean },
): Promise<'new' | 'same' | 'reset'> {
  const { chainId, genesisHash } = await chain.identity();
  if ((await rememberedChainId(db)) === undefined) await chain.checkContract(); // a wrong contract would stay bound
  return db.tx(async (tx) => {
    const [row] = await tx.query<Remembered>(sql`
      select chain_id as "chainId", ${hex('genesis_hash')} as genesis, ${hex('contract')} as contract,
        ${hex('schema_uid')} as "schemaUid" from chain_state for update`);
    const { genesis, contract, schemaUid, chainId: known } = row!;
    if (known === null || !genesis || !contract || !schemaUid) {
      await tx.query(sql`update chain_state set chain_id = ${chainId}, genesis_hash = ${fromHex(genesisHash)},
        contract = ${fromHex(chain.contract)}, schema_uid = ${fromHex(chain.schemaUid)}`);
      return 'new';
    }
    refuse('CHAIN_RPC_URL', 'chain id', String(known), String(chainId));
    refuse('ATTESTATION_CONTRACT', 'attestation contract', contract, chain.contract.toLowerCase());
    refuse('SCHEMA_UID', 'schema', schemaUid, chain.schemaUid.toLowerCase());
    if (genesis === genesisHash.toLowerCase()) return 'same';
    if (!options.devnet) refuse('CHAIN_RPC_URL', 'genesis block', genesis, genesisHash);
    await tx.query(sql`update chain_state set genesis_hash = ${fromHex(genesisHash)}`);
    await tx.query(sql`update batch set uid = null, anchored_at = null where anchored_at is not null`);
    await tx.query(sql`
      update anchor_tx set state = 'SENT', block_number = null, block_hash = null, block_time = null,
        note = 'the chain started again from block 0'
      where state in ('FINAL', 'MINED', 'HALTED')`);
    await forgetOtherRelayers(tx, chain.relayer);
    return 'reset';
  });
}

async function forgetOtherRelayers(tx: Tx, relayer: Hex): Promise<void> {
  const lost = await tx.query<{ id: number }>(sql`
    update anchor_tx set state = 'LOST', note = 'its chain is gone, and the key of its relayer'
    where sender <> ${fromHex(relayer)} and state <> 'LOST' returning id`);
  for (const { id } of lost) await requeue(tx, sql`b.tx_id = ${id}`, 0);
}

function refuse(setting: string, what: string, known: string, found: string): void {
  if (known === found) return;
  throw new AnotherChain(
    `${setting}: this database belongs to ${what} ${known}, but the chain in use has ${found}: ` +
      'use the chain that the database was started with, or a new database (DATABASE_URL or DATA_DIR) for this chain; svc-admin chain migrate moves a database to a different chain',
  );
}

export async function markState(db: Queryable, { failure, catchingUp }: Problems['state']): Promise<void> {
  await db.query(
    failure === undefined
      ? sql`
        update chain_state set failing_since = null, failure = null, catching_up = ${catchingUp}
        where failing_since is not null or catching_up <> ${catchingUp}`
      : sql`
        update chain_state
        set failing_since = coalesce(failing_since, clock_timestamp()), failure = ${failure}, catching_up = ${catchingUp}
        where failing_since is null or failure is distinct from ${failure} or catching_up <> ${catchingUp}`,
  );
}

export async function rememberedChainId(db: Queryable): Promise<number | undefined> {
  return (await db.value<number | null>(sql`select chain_id from chain_state`)) ?? undefined;
}

export const listRelayers = (db: Queryable) =>
  db.column<Hex>(sql`select ${hex('sender')} from anchor_tx group by sender order by max(id) desc`);

/** Up to which transaction count of each earlier key the contract's logs were searched. */
export async function searchedCounts(db: Queryable): Promise<Record<Hex, number>> {
  return JSON.parse(await db.value<string>(sql`select searched from chain_state`)) as Record<Hex, number>;
}

export async function markSearched(db: Queryable, counted: readonly { sender: Hex; count: number }[]) {
  if (counted.length === 0) return;
  const searched = Object.fromEntries(counted.map(({ sender, count }) => [sender, count]));
  const all = JSON.stringify({ ...(await searchedCounts(db)), ...searched });
  await db.query(sql`update chain_state set searched = ${all}`);
}
