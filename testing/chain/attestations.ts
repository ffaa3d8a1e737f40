import { decodeAttestationData, hexToBytes } from '@svc/protocol';
import { type ChainReader, decodeAttestation, encodeGetAttestation } from '@svc/verifier';
import { keccak256, stringToBytes } from 'viem';
import { rpc } from './json-rpc.ts';

export interface LedgerChain {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly contract: string;
  readonly schemaUid: string;
  readonly relayer: string;
}

export interface Attested {
  uid: string;
  txHash: string;
  root: string;
  kind: 0 | 1;
  treeVersion: number;
  treeSize: number;
  time: number;
  revokedAt: number;
}

const ATTESTED = keccak256(stringToBytes('Attested(address,address,bytes32,bytes32)'));
const AT_ONCE = 20;

export async function attestationsOf(chain: LedgerChain): Promise<Attested[]> {
  const topics = [
    ATTESTED,
    null,
    `0x${chain.relayer.slice(2).toLowerCase().padStart(64, '0')}`,
    chain.schemaUid,
  ];
  const logs = (await rpc(chain.rpcUrl, 'eth_getLogs', {
    address: chain.contract,
    fromBlock: '0x0',
    toBlock: 'latest',
    topics,
  })) as { data: string; transactionHash: string }[];
  const found: Attested[] = [];
  for (let from = 0; from < logs.length; from += AT_ONCE)
    found.push(
      ...(await Promise.all(
        logs.slice(from, from + AT_ONCE).map(async ({ data: uid, transactionHash: txHash }) => ({
          uid,
          txHash,
          ...(await read(chain, uid)),
        })),
      )),
    );
  return found;
}

async function read(chain: LedgerChain, uid: string): Promise<Omit<Attested, 'uid' | 'txHash'>> {
  const call = { to: chain.contract, data: encodeGetAttestation(uid) };
  const attestation = decodeAttestation(await rpc(chain.rpcUrl, 'eth_call', call, 'latest'));
  if (attestation?.uid !== uid) throw new Error(`${uid} was logged and cannot be read`);
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
