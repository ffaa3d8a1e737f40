import sql from 'sql-template-tag';
import { encodeFunctionData, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { AnotherChain, ensureSameChain } from '../../src/anchoring/index.ts';
import { schemaRegistryAbi } from '../../src/chain/eas-codec.ts';
import { ChainUnavailable, type Hex } from '../../src/chain/port.ts';
import { schemaUidOf } from '../../src/chain/schema.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { useAnchoring, withChanges } from '../../../../testing/anchoring/ground.ts';

const REGISTRY: Hex = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

describe('a database without a chain', () => {
  const ground = useAnchoring();
  const db = useDatabase({ perTest: true });
  const binding = async () => (await db.query<object>(sql`select * from chain_state`))[0]!;

  async function registered(schema: string, revocable = true): Promise<Hex> {
    const data = encodeFunctionData({
      abi: schemaRegistryAbi,
      functionName: 'register',
      args: [schema, zeroAddress, revocable],
    });
    const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
    await ground.devnet.rpc('eth_sendTransaction', { from, to: REGISTRY, data });
    return schemaUidOf(schema, zeroAddress, revocable);
  }

  test('stays unbound with a wrong contract or schema and names the setting', async () => {
    const unbound = await binding();
    const typed = 'bytes32 root, uint8 kind, uint8 treeVersion';
    const wrong = [
      [{ contract: `0x${'ab'.repeat(20)}` }, /^ATTESTATION_CONTRACT.*no contract/],
      [{ contract: REGISTRY }, /^ATTESTATION_CONTRACT.*no attestation contract/],
      [{ schemaUid: `0x${'ab'.repeat(32)}` }, /^SCHEMA_UID.*register-schema/],
      [{ schemaUid: await registered(typed) }, /^SCHEMA_UID.*uint32 treeSize/],
      [
        { schemaUid: await registered('bytes32 r, uint8 k, uint8 v, uint32 s', false) },
        /^SCHEMA_UID.*revoked/,
      ],
    ] as const;
    for (const [change, refusal] of wrong) {
      const refused = await ensureSameChain(db, ground.devnet.chain(change), { devnet: false }).catch(
        (error: unknown) => error,
      );
      expect(refused, String(refusal)).toBeInstanceOf(ChainUnavailable);
      expect((refused as Error).message).toMatch(refusal);
      expect(await binding()).toEqual(unbound);
    }
    const named = await registered('bytes32 r, uint8 k, uint8 v, uint32 s');
    expect(await ensureSameChain(db, ground.devnet.chain({ schemaUid: named }), { devnet: false })).toBe(
      'new',
    );
  });

  test('stays unbound while the contract cannot be read', async () => {
    const unbound = await binding();
    const silent = withChanges(ground.devnet.chain(), {
      checkContract: () => Promise.reject(new ChainUnavailable('the node is away')),
    });
    await expect(ensureSameChain(db, silent, { devnet: false })).rejects.toThrow('the node is away');
    expect(await binding()).toEqual(unbound);
    expect(await ensureSameChain(db, ground.devnet.chain(), { devnet: false })).toBe('new');
  });

  test('rejects a different chain once bound and names the setting', async () => {
    const chain = ground.devnet.chain();
    const real = await chain.identity();
    expect(await ensureSameChain(db, chain, { devnet: false })).toBe('new');
    expect(await ensureSameChain(db, chain, { devnet: false })).toBe('same');
    const elsewhere = [
      [withChanges(chain, { identity: async () => ({ ...real, chainId: 1 }) }), /^CHAIN_RPC_URL: /],
      [
        withChanges(chain, { identity: async () => ({ ...real, genesisHash: `0x${'12'.repeat(32)}` }) }),
        /^CHAIN_RPC_URL: /,
      ],
      [withChanges(chain, { contract: `0x${'34'.repeat(20)}` }), /^ATTESTATION_CONTRACT: /],
      [withChanges(chain, { schemaUid: `0x${'12'.repeat(32)}` }), /^SCHEMA_UID: /],
    ] as const;
    for (const [other, named] of elsewhere) {
      const refused = await ensureSameChain(db, other, { devnet: false }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(AnotherChain);
      expect((refused as Error).message).toMatch(named);
    }
    expect(await ensureSameChain(db, elsewhere[1][0], { devnet: true })).toBe('reset');
    await expect(ensureSameChain(db, elsewhere[0][0], { devnet: true })).rejects.toThrow(
      /chain id 31337.*has 1/,
    );
  });
});
