// What makes the devnet the same chain after each start: its first block, the EAS contracts and the schema.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Abi, encodeDeployData, encodeFunctionData, getContractAddress, zeroAddress } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { schemaRegistryAbi } from '../eas-codec.ts';
import { callOnce, toBlock, toNumber, toRecord } from '../json-rpc.ts';
import type { Hex } from '../port.ts';
import { ATTESTATION_SCHEMA, schemaUidOf } from '../schema.ts';

export const DEVNET_CHAIN_ID = 31337;
const GAS_LIMIT = 500_000_000;
/** Its key is public, so it only deploys. */
const DEPLOYER: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const RICH = 10n ** 24n;

export type Call = (method: string, ...params: unknown[]) => Promise<unknown>;

export function devnetCall(port: number): Call {
  const options = { timeoutMs: 120_000, maxBytes: 1024 ** 3 };
  return (method, ...params) => callOnce(`http://127.0.0.1:${port}`, method, params, options);
}

const registryAddress = getContractAddress({ from: DEPLOYER, nonce: 0n }).toLowerCase() as Hex;
export const devnetContract = getContractAddress({ from: DEPLOYER, nonce: 1n }).toLowerCase() as Hex;
export const devnetSchemaUid = schemaUidOf(ATTESTATION_SCHEMA);

/**
 * anvil makes the same first block from these values, so the chain's identity lasts as long as the data directory.
 */
export interface Genesis {
  timestamp: number;
  baseFee: number;
}

const YEAR_SECONDS = 365 * 24 * 3600;

export function newGenesis(): Genesis {
  return {
    timestamp: Math.floor(Date.now() / 1000) - randomInt(YEAR_SECONDS),
    baseFee: 1_000_000_000 + randomInt(100_000_000),
  };
}

export function parseGenesis(text: string | undefined): Genesis | undefined {
  try {
    const { timestamp, baseFee } = JSON.parse(text ?? '') as Genesis;
    return Number.isSafeInteger(timestamp) && Number.isSafeInteger(baseFee)
      ? { timestamp, baseFee }
      : undefined;
  } catch {
    return undefined;
  }
}

export async function readGenesis(call: Call): Promise<Genesis & { hash: Hex }> {
  const { timestamp, baseFeePerGas, hash } = toBlock(await call('eth_getBlockByNumber', '0x0', false));
  return { timestamp, baseFee: Number(baseFeePerGas), hash };
}

export function anvilArguments(historyStates: number): string[] {
  return [
    '--chain-id',
    String(DEVNET_CHAIN_ID),
    '--accounts',
    '1',
    '--hardfork',
    'prague',
    '--gas-limit',
    String(GAS_LIMIT),
    '--no-request-size-limit',
    '--no-mining',
    // A past state is a whole copy.
    '--prune-history',
    String(historyStates),
    '--no-cors', // no website may call it
  ];
}

export const genesisArguments = ({ timestamp, baseFee }: Genesis): string[] => [
  '--timestamp',
  String(timestamp),
  '--block-base-fee-per-gas',
  String(baseFee),
];

/** Mines on demand, one second ahead of the clock, so that no block is older than its transactions. */
export async function startMining(call: Call): Promise<void> {
  const offset = Number(await call('evm_increaseTime', 0));
  const head = toBlock(await call('eth_getBlockByNumber', 'latest', false));
  // the clock may have been set back
  const ahead = Math.max(1, head.timestamp - Math.floor(Date.now() / 1000));
  if (ahead > offset) await call('evm_increaseTime', ahead - offset);
  await call('evm_setAutomine', true);
}

export async function ensureContracts(call: Call, relayerKey: Hex): Promise<boolean> {
  const relayer = privateKeyToAddress(relayerKey);
  if (BigInt((await call('eth_getBalance', relayer, 'latest')) as string) < RICH / 2n) {
    await call('anvil_setBalance', relayer, `0x${RICH.toString(16)}`);
  }
  const hasCode = async (address: Hex) => (await call('eth_getCode', address, 'latest')) !== '0x';
  if ((await hasCode(registryAddress)) && (await hasCode(devnetContract))) return hasSchema(call);
  if (toNumber(await call('eth_blockNumber')) !== 0) return false;
  const registry = await loadContract('SchemaRegistry');
  const eas = await loadContract('EAS');
  await transact(call, { data: registry.bytecode });
  await transact(call, { data: encodeDeployData({ ...eas, args: [registryAddress] }) });
  const register = encodeFunctionData({
    abi: schemaRegistryAbi,
    functionName: 'register',
    args: [ATTESTATION_SCHEMA, zeroAddress, true],
  });
  await transact(call, { to: registryAddress, data: register });
  return (await hasCode(devnetContract)) && (await hasSchema(call));
}

async function hasSchema(call: Call): Promise<boolean> {
  const data = encodeFunctionData({
    abi: schemaRegistryAbi,
    functionName: 'getSchema',
    args: [devnetSchemaUid],
  });
  const answer = await call('eth_call', { to: registryAddress, data }, 'latest');
  return typeof answer === 'string' && answer.includes(devnetSchemaUid.slice(2));
}

/** The block follows after the answer. */
async function transact(call: Call, transaction: { to?: Hex; data: Hex }): Promise<void> {
  const hash = await call('eth_sendTransaction', { from: DEPLOYER, gas: '0x1000000', ...transaction });
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const receipt = await call('eth_getTransactionReceipt', hash);
    if (receipt !== null) {
      if (toRecord(receipt)['status'] === '0x1') return;
      break;
    }
    await sleep(5);
  }
  throw new Error('the devnet could not deploy the attestation contracts');
}

export type ContractName = 'EAS' | 'SchemaRegistry';

interface ContractArtifact {
  abi: Abi;
  bytecode: Hex;
}

const { resolve } = createRequire(import.meta.url);

export async function loadContract(name: ContractName): Promise<ContractArtifact> {
  const { abi, bytecode } = JSON.parse(await readFile(pathOf(name), 'utf8')) as ContractArtifact;
  return { abi, bytecode };
}

function pathOf(name: ContractName): string {
  const source = `@ethereum-attestation-service/eas-contracts/artifacts/contracts/${name}.sol/${name}.json`;
  for (const path of [`#contracts/${name}.json`, source])
    try {
      return resolve(path);
    } catch {
      // Try the next one.
    }
  throw new Error(`the bytecode of ${name} is missing: run npm run build`);
}
