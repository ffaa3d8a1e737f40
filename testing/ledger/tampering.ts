import sql, { type Sql } from 'sql-template-tag';
import { privateKeyToAccount } from 'viem/accounts';
import { encodeAttest } from '../../packages/server/src/chain/eas-codec.ts';
import type { Relayer, TestNode } from '../chain/node.ts';
import { attestationsOf } from '../chain/attestations.ts';
import type { World } from '../system/world.ts';
import { eventually } from '../wait.ts';

export async function tampered(
  world: World,
  change: (db: (statement: Sql) => Promise<unknown>) => Promise<void>,
  look: () => Promise<void>,
) {
  const tables = ['etch', 'batch', 'batch_leaf'];
  await world.withDb(async (db) => {
    for (const table of tables) await db.query(sql([`create table saved_${table} as table ${table}`]));
    await change((statement) => db.query(statement));
  });
  try {
    await look();
  } finally {
    await world.withDb(async (db) => {
      for (const table of [...tables].reverse())
        await db.query(sql([`delete from ${table}`])).catch(() => undefined);
      await db.tx(async (tx) => {
        await tx.query(sql`set local session_replication_role = replica`);
        for (const table of tables) {
          await tx.query(sql([`delete from ${table}`]));
          await tx.query(sql([`insert into ${table} overriding system value select * from saved_${table}`]));
          await tx.query(sql([`drop table saved_${table}`]));
        }
      });
    });
  }
}

export async function attestAgain(world: World, chain: TestNode, by: Relayer): Promise<void> {
  const [first] = await world.withChain(attestationsOf);
  const data = await world.withChain(async ({ contract }) => {
    const answer = await chain.rpc(
      'eth_call',
      { to: contract, data: `0xa3112a64${first!.uid.slice(2)}` },
      'latest',
    );
    return `0x${String(answer).slice(-256)}` as const;
  });
  const account = privateKeyToAccount(by.key);
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: chain.chainId,
    to: chain.contract,
    nonce: Number(await chain.rpc('eth_getTransactionCount', by.address, 'latest')),
    data: encodeAttest(chain.schemaUid, [{ data, revocable: false }]),
    gas: 500_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
  });
  const hash = await chain.rpc('eth_sendRawTransaction', raw);
  await eventually('it is mined', async () => (await chain.rpc('eth_getTransactionReceipt', hash)) !== null);
}
