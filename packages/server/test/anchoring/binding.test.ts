import sql from 'sql-template-tag';
import { encodeFunctionData, zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { AnotherChain, ensureSameChain } from '../../src/anchoring/index.ts';
import { schemaRegistryAbi } from '../../src/chain/eas-codec.ts';
import { type Chain, ChainUnavailable, type Hex } from '../../src/chain/port.ts';
import { schemaUidOf } from '../../src/chain/schema.ts';
import { useAnchoring, useDatabase, withChanges } from '../../../../testing/anchoring/index.ts';

const REGISTRY: Hex = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const ground = useAnchoring();
const db = useDatabase({ perTest: true });
const binding = async () => (await db.query<object>(sql`select * from chain_state`))[0]!;
const bind = (chain: Chain, devnet = false) => ensureSameChain(db, chain, { devnet });

async function expectRejected(chain: Chain, kind: abstract new () => Error, message: RegExp, devnet = false) {
  const refused = await bind(chain, devnet).catch((error: unknown) => error);
  expect(refused, String(message)).toBeInstanceOf(kind);
  expect((refused as Error).message).toMatch(message);
}

async function registered(schema: string, revocable = true): Promise<Hex> {
  const args = [schema, zeroAddress, revocable] as const;
  const data = encodeFunctionData({ abi: schemaRegistryAbi, functionName: 'register', args });
  const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
  await ground.devnet.rpc('eth_sendTransaction', { from, to: REGISTRY, data });
  return schemaUidOf(...args);
}

test('stays unbound with a wrong contract or schema and names the setting', async () => {
  const unbound = await binding();
  const typed = 'bytes32 root, uint8 kind, uint8 treeVersion';
  const named = 'bytes32 r, uint8 k, uint8 v, uint32 s';
  for (const [change, refusal] of [
    [{ contract: `0x${'ab'.repeat(20)}` }, /^ATTESTATION_CONTRACT.*no contract/],
    [{ contract: REGISTRY }, /^ATTESTATION_CONTRACT.*no attestation contract/],
    [{ schemaUid: `0x${'ab'.repeat(32)}` }, /^SCHEMA_UID.*register-schema/],
    [{ schemaUid: await registered(typed) }, /^SCHEMA_UID.*uint32 treeSize/],
    [{ schemaUid: await registered(named, false) }, /^SCHEMA_UID.*revoked/],
  ] as const) {
    await expectRejected(ground.devnet.chain(change), ChainUnavailable, refusal);
    expect(await binding()).toEqual(unbound);
  }
  expect(await bind(ground.devnet.chain({ schemaUid: await registered(named) }))).toBe('new');
});

test('stays unbound while the contract cannot be read', async () => {
  const unbound = await binding();
  const away = () => Promise.reject(new ChainUnavailable('the node is away'));
  const silent = withChanges(ground.devnet.chain(), { checkContract: away });
  await expect(bind(silent)).rejects.toThrow('the node is away');
  expect(await binding()).toEqual(unbound);
  expect(await bind(ground.devnet.chain())).toBe('new');
});

test('rejects a different chain once bound and names the setting', async () => {
  const chain = ground.devnet.chain();
  const real = await chain.identity();
  expect([await bind(chain), await bind(chain)]).toEqual(['new', 'same']);
  const [other, genesisHash] = [`0x${'34'.repeat(20)}`, `0x${'12'.repeat(32)}`] as const;
  const another = withChanges(chain, { identity: async () => ({ ...real, chainId: 1 }) });
  const reset = withChanges(chain, { identity: async () => ({ ...real, genesisHash }) });
  for (const [changed, setting] of [
    [another, /^CHAIN_RPC_URL: /],
    [reset, /^CHAIN_RPC_URL: /],
    [withChanges(chain, { contract: other }), /^ATTESTATION_CONTRACT: /],
    [withChanges(chain, { schemaUid: genesisHash }), /^SCHEMA_UID: /],
  ] as const)
    await expectRejected(changed, AnotherChain, setting);
  expect(await bind(reset, true)).toBe('reset');
  await expectRejected(another, AnotherChain, /chain id 31337.*has 1/, true);
});
