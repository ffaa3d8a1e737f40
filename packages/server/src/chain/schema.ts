import { setTimeout as sleep } from 'node:timers/promises';
import {
  decodeFunctionResult,
  encodeFunctionData,
  encodePacked,
  keccak256,
  zeroAddress,
  zeroHash,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Rpc } from './client.ts';
import { easAbi, schemaRegistryAbi } from './eas-abi.ts';
import { feeCap, feesFor, gasWithMargin } from './fees.ts';
import { ChainUnavailable, type Hex } from './port.ts';
import { nonsense, toBlock, toBytes, toNumber, toRecord } from './rpc-values.ts';

/** The schema of every attestation (docs/protocol.md): what `kind` 0 commits and `kind` 1 retracts. */
export const ATTESTATION_SCHEMA = 'bytes32 root, uint8 kind, uint8 treeVersion, uint32 treeSize';

/** The uid under which the registry keeps a schema; it depends on nothing else, so it is the same on every chain. */
export function schemaUidOf(schema: string, resolver: Hex = zeroAddress, revocable = true): Hex {
  return keccak256(encodePacked(['string', 'address', 'bool'], [schema, resolver, revocable]));
}

export interface RegisterSchemaOptions {
  rpc: Rpc;
  /** pays for the registration */
  privateKey: Hex;
  /** EAS, which names its registry */
  contract: Hex;
  maxFeeGwei: number;
  /** how long to wait for the registration's block, milliseconds (default 120,000) */
  waitMs?: number;
}

/**
 * Registers the service's schema on a chain that does not have it yet. Asks the chain first, so it may be run again.
 * @throws ChainUnavailable also when the transaction is not mined in time: run it again later
 */
export async function registerSchemaIfMissing(
  options: RegisterSchemaOptions,
): Promise<{ schemaUid: Hex; txHash: Hex | null }> {
  const { rpc } = options;
  const schemaUid = schemaUidOf(ATTESTATION_SCHEMA);
  const registry = await registryOf(rpc, options.contract);
  if (await isRegistered(rpc, registry, schemaUid)) return { schemaUid, txHash: null };
  const txHash = await sendRegistration(rpc, registry, options);
  const deadline = performance.now() + (options.waitMs ?? 120_000);
  while (!(await isRegistered(rpc, registry, schemaUid))) {
    if (performance.now() > deadline) throw new ChainUnavailable(`${txHash} is not mined yet`);
    const receipt = await rpc.requestKnown('eth_getTransactionReceipt', [txHash], (found) =>
      found === null ? null : toRecord(found),
    );
    if (receipt && receipt['status'] !== '0x1') throw new ChainUnavailable(`${txHash} was reverted`);
    await sleep(500);
  }
  return { schemaUid, txHash };
}

async function sendRegistration(rpc: Rpc, registry: Hex, options: RegisterSchemaOptions): Promise<Hex> {
  const account = privateKeyToAccount(options.privateKey);
  const data = encodeFunctionData({
    abi: schemaRegistryAbi,
    functionName: 'register',
    args: [ATTESTATION_SCHEMA, zeroAddress, true],
  });
  const { baseFeePerGas } = await rpc.request('eth_getBlockByNumber', ['latest', false], toBlock);
  const fees = await feesFor(rpc, baseFeePerGas, feeCap(options.maxFeeGwei));
  if (fees.capped) throw new ChainUnavailable('a gas unit costs more than the cap now');
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: await rpc.chainId(),
    to: registry,
    nonce: await rpc.request('eth_getTransactionCount', [account.address, 'pending'], toNumber),
    data,
    gas: await gasWithMargin(rpc, { from: account.address, to: registry, data }),
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  });
  return rpc.request('eth_sendRawTransaction', [raw], () => keccak256(raw));
}

async function registryOf(rpc: Rpc, contract: Hex): Promise<Hex> {
  const data = encodeFunctionData({ abi: easAbi, functionName: 'getSchemaRegistry' });
  return rpc.request('eth_call', [{ to: contract, data }, 'latest'], (answer) =>
    decoded('a schema registry', () =>
      decodeFunctionResult({ abi: easAbi, functionName: 'getSchemaRegistry', data: toBytes(answer) }),
    ),
  );
}

async function isRegistered(rpc: Rpc, registry: Hex, uid: Hex): Promise<boolean> {
  const data = encodeFunctionData({ abi: schemaRegistryAbi, functionName: 'getSchema', args: [uid] });
  return rpc.request('eth_call', [{ to: registry, data }, 'latest'], (answer) => {
    const record = decoded('a schema', () =>
      decodeFunctionResult({ abi: schemaRegistryAbi, functionName: 'getSchema', data: toBytes(answer) }),
    );
    return record.uid !== zeroHash;
  });
}

function decoded<T>(expected: string, decode: () => T): T {
  try {
    return decode();
  } catch {
    throw nonsense(expected);
  }
}
