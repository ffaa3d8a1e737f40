import { decodeAttestationData, hexToBytes } from '@svc/protocol';
import { type ChainReader, type OnchainAttestation, rpcChain } from '@svc/verifier';
import { keccak256, stringToBytes } from 'viem';

/** Where a ledger is kept, and by whom. */
export interface LedgerChain {
  rpcUrl: string;
  chainId: number;
  contract: string;
  schemaUid: string;
  relayer: string;
}

export interface Attested {
  uid: string;
  txHash: string;
  root: string;
  kind: 0 | 1;
  treeVersion: number;
  treeSize: number;
  /** seconds */
  time: number;
  revokedAt: number;
}

const ATTESTED = keccak256(stringToBytes('Attested(address,address,bytes32,bytes32)'));

/** All attestations of the relayer under the schema, by the contract's own logs from the first block on. */
export async function attestationsOf(chain: LedgerChain): Promise<Attested[]> {
  const topics = [
    ATTESTED,
    null,
    `0x${chain.relayer.slice(2).toLowerCase().padStart(64, '0')}`,
    chain.schemaUid,
  ];
  const logs = (await call(chain.rpcUrl, 'eth_getLogs', [
    { address: chain.contract, fromBlock: '0x0', toBlock: 'latest', topics },
  ])) as { data: string; transactionHash: string }[];
  const reader = rpcChain({ urls: [chain.rpcUrl] });
  const found: Attested[] = [];
  for (const { data: uid, transactionHash: txHash } of logs) {
    const { root, kind, treeVersion, treeSize, time, revokedAt } = await read(reader, chain, uid);
    found.push({ uid, txHash, root, kind, treeVersion, treeSize, time, revokedAt });
  }
  return found;
}

async function read(
  reader: ChainReader,
  chain: LedgerChain,
  uid: string,
): Promise<Omit<Attested, 'uid' | 'txHash'>> {
  const answer = await reader.attestation(chain.contract, uid, chain.chainId);
  if (answer.kind !== 'read' || !answer.attestation) throw new Error(`${uid} was logged and cannot be read`);
  const attestation: OnchainAttestation = answer.attestation;
  const data = decodeAttestationData(hexToBytes(attestation.data.replace(/^0x/, '')));
  return {
    root: Buffer.from(data.root).toString('hex'),
    kind: data.kind,
    treeVersion: data.treeVersion,
    treeSize: data.treeSize,
    time: attestation.time,
    revokedAt: attestation.revocationTime,
  };
}

async function call(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

/** Reads every attestation once. */
export function remembering(reader: ChainReader): ChainReader {
  const kept = new Map<string, ReturnType<ChainReader['attestation']>>();
  return {
    attestation(contract, uid, chainId) {
      const found = kept.get(uid) ?? reader.attestation(contract, uid, chainId);
      kept.set(uid, found);
      return found;
    },
  };
}
