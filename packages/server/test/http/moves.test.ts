import { parseMove, verifySignature } from '@svc/protocol';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
const read = async () => (await service.get('/.well-known/svc.json')).body;

test('/.well-known/svc.json states each move to another chain, signed with the promise keys', async () => {
  expect(await read()).not.toHaveProperty('moves');
  const sender = Buffer.alloc(20, 7);
  for (const chainId of [10, 100]) {
    const chain = await service.db.value<number>(sql`
      insert into former_chain (name, chain_id, genesis_hash, contract, schema_uid, left_at)
      values ('left', ${chainId}, ${Buffer.alloc(32)}, ${Buffer.alloc(20, 8)}, ${Buffer.alloc(32, 9)},
        '2026-03-04T05:06:07.890Z') returning id`);
    await service.db.query(
      sql`insert into former_tx (id, chain, sender) values (${chainId}, ${chain}, ${sender})`,
    );
  }
  const { chain, promise, moves } = await read();
  const to = {
    chainId: chain.chain_id,
    contract: chain.attestation_contract.toLowerCase(),
    schemaUid: chain.schema_uid,
    relayers: chain.relayers.map((relayer: string) => relayer.toLowerCase()),
  };
  const from = { contract: `0x${'08'.repeat(20)}`, schemaUid: `0x${'09'.repeat(32)}` };
  expect(moves.map(({ text }: { text: string }) => parseMove(text))).toEqual(
    [10, 100].map((chainId) => ({
      leftAt: '2026-03-04T05:06:07.890Z',
      from: { ...from, chainId, relayers: [`0x${'07'.repeat(20)}`] },
      to,
    })),
  );
  for (const { text, signatures } of moves)
    expect(
      signatures.map(
        (one: { public_key: string; signature: string }) =>
          verifySignature({ publicKey: one.public_key, message: text, signature: one.signature }) &&
          one.public_key,
      ),
    ).toEqual(promise.keys);
});
