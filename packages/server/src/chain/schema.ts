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
import { easAbi, schemaRegistryAbi } from './eas-codec.ts';
import { feeCap, feesFor, gasWithMargin } from './fees.ts';
import { isRevert, toBlock, toBytes, toNumber, toRecord } from './json-rpc.ts';
import { ChainUnavailable, type Hex, WrongSetting } from './port.ts';

export const ATTESTATION_SCHEMA = 'bytes32 root, uint8 kind, uint8 treeVersion, uint32 treeSize';

/** The UID is the same on every chain. */
export const schemaUidOf = (schema: string, resolver: Hex = zeroAddress, revocable = true): Hex =>
  keccak256(encodePacked(['string', 'address', 'bool'], [schema, resolver, revocable]));

export interface RegisterSchemaOptions {
  rpc: Rpc;
  privateKey: Hex;
  contract: Hex;
  maxFeeGwei: number;
  waitMs?: number;
}

/** Safe to run again. @throws ChainUnavailable also if the transaction is not mined in time */
export async function registerSchemaIfMissing(
  options: RegisterSchemaOptions,
): Promise<{ schemaUid: Hex; txHash: Hex | null }> {
  const { rpc } = options;
  const schemaUid = schemaUidOf(ATTESTATION_SCHEMA);
  const registry = await registryOf(rpc, options.contract);
  const isRegistered = async () =>
    (await schemaIn(rpc, { registry, contract: options.contract }, schemaUid)) !== null;
  if (await isRegistered()) return { schemaUid, txHash: null };
  const txHash = await sendRegistration(rpc, registry, options);
  const deadline = performance.now() + (options.waitMs ?? 120_000);
  while (!(await isRegistered())) {
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
  if (fees.capped)
    throw new ChainUnavailable(
      'MAX_FEE_GWEI: the fee per gas is above the cap now: raise it, or run this again later',
    );
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
  const code = await rpc.requestKnown('eth_getCode', [contract, 'latest'], (answer) =>
    toBytes(answer) === '0x' ? null : true,
  );
  if (!code)
    throw new WrongSetting(
      `ATTESTATION_CONTRACT: there is no contract at ${contract} on chain ${await rpc.chainId()}`,
    );
  const data = encodeFunctionData({ abi: easAbi, functionName: 'getSchemaRegistry' });
  const registry = await callContract(rpc, contract, data, (bytes) =>
    decodeFunctionResult({ abi: easAbi, functionName: 'getSchemaRegistry', data: bytes }),
  );
  if (!registry) throw noAttestations(contract);
  return registry;
}

async function schemaIn(rpc: Rpc, { registry, contract }: { registry: Hex; contract: Hex }, uid: Hex) {
  const data = encodeFunctionData({ abi: schemaRegistryAbi, functionName: 'getSchema', args: [uid] });
  const record = await callContract(rpc, registry, data, (bytes) =>
    decodeFunctionResult({ abi: schemaRegistryAbi, functionName: 'getSchema', data: bytes }),
  );
  if (!record) throw noAttestations(contract);
  return record.uid === zeroHash ? null : record;
}

async function callContract<T>(rpc: Rpc, to: Hex, data: Hex, decode: (bytes: Hex) => T): Promise<T | null> {
  try {
    return await rpc.requestKnown('eth_call', [{ to, data }, 'latest'], (answer) => {
      const bytes = toBytes(answer);
      try {
        return decode(bytes);
      } catch {
        return null;
      }
    });
  } catch (error) {
    if (isRevert(error)) return null;
    throw error;
  }
}

function noAttestations(contract: Hex): WrongSetting {
  return new WrongSetting(
    `ATTESTATION_CONTRACT: the contract at ${contract} is no attestation contract (EAS): docs/operating/public-chain.md says ` +
      'where its addresses are listed',
  );
}

/** The contract ignores the names in a schema. */
const typesOf = (schema: string): string =>
  schema
    .split(',')
    .map((field) => field.trim().split(/\s+/)[0])
    .join();

export async function checkContract(rpc: Rpc, contract: Hex, schemaUid: Hex): Promise<void> {
  const found = await schemaIn(rpc, { registry: await registryOf(rpc, contract), contract }, schemaUid);
  if (!found)
    throw new WrongSetting(
      `SCHEMA_UID: the contract ${contract} has no schema ${schemaUid}: register it (svc-admin chain register-schema)`,
    );
  if (typesOf(found.schema) !== typesOf(ATTESTATION_SCHEMA))
    throw new WrongSetting(
      `SCHEMA_UID: attestations under ${schemaUid} have other data than "${ATTESTATION_SCHEMA}"`,
    );
  if (!found.revocable)
    throw new WrongSetting(
      `SCHEMA_UID: attestations under ${schemaUid} cannot be revoked, which ANCHOR_SCHEME=single requires`,
    );
}
